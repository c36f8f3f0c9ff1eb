// Against the hashes that xxHash's own implementation gives (Python package xxhash 4.1.0, xxHash 0.8.4).

#include "base/hash64.h"

#include <gtest/gtest.h>

#include <vector>

namespace tessera {
namespace {

std::vector<std::byte> message(std::size_t size) {
  std::vector<std::byte> out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>(i * 37 + 11 * (i >> 8));
  return out;
}

TEST(Hash64, IsXxh64) {
  struct Known {
    std::size_t size;
    std::uint64_t hash;
  };
  constexpr Known kKnown[] = {
      {0, 0xef46db3751d8e999},   {1, 0xe934a84adb052768},    {3, 0xf5cd310a927fde3e},  {4, 0xa9c00ae8f9b200f0},
      {7, 0x72b108a52e458e66},   {8, 0x74c725313330d0cc},    {9, 0x83334f13185cfe8a},  {31, 0x4513ec5ebc46d0d3},
      {32, 0x2c1f2ffa2ace16d3},  {33, 0x62f3b71cd8263c47},   {63, 0x2c9d78b9323007f3}, {64, 0xcb86cfdc04a5148a},
      {100, 0x3f99fd1263b54f01}, {1000, 0xda7fd8ee0e8b62e1},
  };
  for (const Known& known : kKnown) EXPECT_EQ(hash64(message(known.size)), known.hash) << known.size << " bytes";
}

TEST(Hash64, DoesNotDependOnWhereTheBytesLie) {
  const std::vector<std::byte> bytes = message(100);
  for (std::size_t shift = 1; shift < 8; ++shift) {
    std::vector<std::byte> moved(shift);
    moved.insert(moved.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(hash64(std::span(moved).subspan(shift)), hash64(bytes)) << shift;
  }
}

TEST(Hash64, ChangesWithEveryBit) {
  std::vector<std::byte> bytes = message(71);
  const std::uint64_t before = hash64(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const std::byte flipped{static_cast<unsigned char>(1u << bit % 8)};
    bytes[bit / 8] ^= flipped;
    EXPECT_NE(hash64(bytes), before) << "bit " << bit;
    bytes[bit / 8] ^= flipped;
  }
}

}  // namespace
}  // namespace tessera
