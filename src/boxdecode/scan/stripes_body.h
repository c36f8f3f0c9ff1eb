#pragma once
// What the SIMD scanners share over blocked memory. As scanner_body.h: each ISA file gets its own copy.

#include <cstddef>
#include <cstdint>

#include "boxdecode/scan/scanner.h"

namespace tessera::boxdecode {
namespace {

/// The highest high byte of a group that is not passed over. In more than 8 bits first: a cutoff whose high byte is 0
/// gives the bound 0x100, and then every byte stays below it.
inline std::uint8_t last_open_high_byte(std::uint32_t least_key) {
  const std::uint32_t bound = 0x100u - (least_key >> 8);
  return static_cast<std::uint8_t>((bound < 0x81u ? 0x81u : bound) - 1u);
}

/// Bits 0, 16, 32 and 48 moved together. Every product of a bit and a term of the factor has a place of its own, so
/// nothing carries; the four wanted ones stand at 48...51.
inline std::uint64_t every_16th(std::uint64_t bits) {
  return (bits & 0x0001'0001'0001'0001u) * (1ull << 48 | 1ull << 33 | 1ull << 18 | 1ull << 3) >> 48 & 0xF;
}

/// Which of the four 16-bit fields are not zero.
inline std::uint64_t fields_set(std::uint64_t bits) {
  constexpr std::uint64_t kLow15 = 0x7FFF'7FFF'7FFF'7FFFu;
  return every_16th((((bits & kLow15) + kLow15) | bits) >> 15);
}

/// 64 groups at a time: kOpen names the open ones, only those are reduced.
template <class G, OpenGroups kOpen>
void reduce(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes, int first_class,
            CellScratch cells) {
  for (int from = 0; from < count; from += 64) {
    std::uint64_t open =
        kOpen(group + std::ptrdiff_t{from} * G::kBytes, count - from < 64 ? count - from : 64, least_key, lanes);
    for (; open != 0; open &= open - 1) {
      const int i = from + __builtin_ctzll(open);
      const StripeBest best = G::best(group + std::ptrdiff_t{i} * G::kBytes, lanes);
      if (best.key <= cells.keys[i]) continue;
      cells.keys[i] = static_cast<std::uint16_t>(best.key);
      cells.classes[i] = static_cast<std::uint16_t>(first_class + best.lane);
    }
  }
}

}  // namespace
}  // namespace tessera::boxdecode
