#include "model/native/crc32.h"

#include <array>

namespace tessera::native {
namespace {

// kTables[k][b] is the remainder of byte b followed by k zero bytes: eight bytes are taken per step, one table each
// (Kounavis and Berry 2005, "slicing by 8"), about eight times the speed of one byte per step.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t r = b;
    for (int bit = 0; bit < 8; ++bit) r = (r >> 1) ^ ((r & 1u) ? 0xedb88320u : 0u);
    tables[0][b] = r;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xffu];
  }
  return tables;
}
constexpr Tables kTables = make_tables();

std::uint32_t load_u32(const std::byte* p) noexcept {
  return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
         static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}

/// The remainder after `bytes`, when it was `crc` before.
std::uint32_t step(std::span<const std::byte> bytes, std::uint32_t crc) noexcept {
  const auto& t = kTables;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    const std::uint32_t lo = crc ^ load_u32(bytes.data()), hi = load_u32(bytes.data() + 4);
    crc = t[7][lo & 0xff] ^ t[6][lo >> 8 & 0xff] ^ t[5][lo >> 16 & 0xff] ^ t[4][lo >> 24] ^  //
          t[3][hi & 0xff] ^ t[2][hi >> 8 & 0xff] ^ t[1][hi >> 16 & 0xff] ^ t[0][hi >> 24];
  }
  for (const std::byte b : bytes) crc = crc >> 8 ^ t[0][(crc ^ static_cast<std::uint32_t>(b)) & 0xff];
  return crc;
}

}  // namespace

std::uint32_t crc32_by_tables(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  return ~step(bytes, ~before);
}

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
#if defined(TESSERA_X86)
  static const bool folds = can_fold();
  if (folds && bytes.size() >= kLeastToFold) {
    const Folded folded = fold(bytes, crc);
    crc = step(folded.rest, 0);
    bytes = bytes.subspan(folded.taken);
  }
#endif
  return ~step(bytes, crc);
}

}  // namespace tessera::native
