#include "base/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "base/test_pages.h"

namespace tessera {
namespace {

struct Piece {
  std::shared_ptr<std::byte> memory;
  std::size_t bytes;
};

std::vector<Piece> pieces() {
  std::vector<Piece> out;
  for (std::size_t bytes : {0, 1, 63, 64, 65, 4096, 1 << 19, (1 << 20) - 1, 1 << 20, (1 << 21) + 1, 3 << 20}) {
    for (int i = 0; i < 3; ++i) out.push_back({allocate_zeroed(bytes), bytes});
  }
  return out;
}

TEST(Memory, IsAlignedZeroedAndOnesOwn) {
  const auto all = pieces();
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(all[i].memory);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all[i].memory.get()) % kMemoryAlignment, 0u);
    const auto* first = all[i].memory.get();
    EXPECT_TRUE(std::all_of(first, first + all[i].bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::memset(all[i].memory.get(), static_cast<int>(i + 1), all[i].bytes);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* first = all[i].memory.get();
    EXPECT_TRUE(std::all_of(first, first + all[i].bytes, [&](std::byte b) { return b == std::byte(i + 1); })) << i;
  }
}

// What is freed and handed out again must be zero again.
TEST(Memory, ReusedMemoryIsZeroed) {
  for (int round = 0; round < 20; ++round) {
    for (const Piece& piece : pieces()) {
      const auto* first = piece.memory.get();
      EXPECT_TRUE(std::all_of(first, first + piece.bytes, [](std::byte b) { return b == std::byte{0}; }));
      std::memset(piece.memory.get(), 0xff, piece.bytes);
    }
  }
}

TEST(Memory, PiecesOutliveTheThreadThatAskedForThem) {
  std::vector<Piece> all;
  std::thread([&] { all = pieces(); }).join();
  for (const Piece& piece : all) std::memset(piece.memory.get(), 1, piece.bytes);
}

// Kernels of a model that is gone must not keep the memory of its weights because another model's follow them.
TEST(Memory, AFreedPieceLeavesItsNeighboursAlone) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers get pieces of their own";
#endif
  constexpr std::size_t kBytes = std::size_t{5} << 20;
  std::vector<std::shared_ptr<std::byte>> row;
  for (int i = 0; i < 3; ++i) std::memset(row.emplace_back(allocate_zeroed(kBytes)).get(), i + 1, kBytes);
  const std::byte* middle = row[1].get() + kBytes / 2;
  row[1].reset();
  for (const std::size_t i : {0, 2}) {
    const auto* first = row[i].get();
    EXPECT_TRUE(std::all_of(first, first + kBytes, [&](std::byte b) { return b == std::byte(i + 1); })) << i;
  }
  EXPECT_FALSE(testing::page_is_there(middle).value_or(false));
}

TEST(Memory, SaysWhenThereIsNone) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the program at such a request";
#endif
  EXPECT_FALSE(allocate_zeroed(std::numeric_limits<std::size_t>::max() / 4));
}

}  // namespace
}  // namespace tessera
