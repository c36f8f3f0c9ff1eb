#pragma once
// Reads single elements of an input in any layout: boxes, keypoints, coefficients. Scanners have their own loops.

#include <cstddef>
#include <cstdint>

#include "boxdecode/layout.h"
#include "boxdecode/numbers.h"

namespace tessera::boxdecode {

/// A stored BF16 element of a blocked group: low bytes first, high bytes 16 further.
inline std::uint16_t split_word(const std::byte* group, int lane) noexcept {
  const auto low = static_cast<unsigned>(group[lane]), high = static_cast<unsigned>(group[lane + kLanes]);
  return static_cast<std::uint16_t>(high << 8 | low);
}

/// Raw word of E at a lane of a blocked group. E is BF16 or S8.
template <class E>
typename E::Word lane_word(const std::byte* group, int lane) noexcept {
  if constexpr (std::is_same_v<E, BF16>) {
    return split_word(group, lane);
  } else {
    return static_cast<typename E::Word>(group[lane]);
  }
}

/// The number of one element.
float read_value(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x,
                 std::int64_t channel) noexcept;

/// The numbers of `count` channels of one pixel from `first` on.
void read_values(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x, std::int64_t first,
                 std::int64_t count, float* out) noexcept;

/// The same as raw Int8 values; the input is Int8.
void read_bytes(const InputPlan& input, const std::byte* data, std::int64_t y, std::int64_t x, std::int64_t first,
                std::int64_t count, std::int8_t* out) noexcept;

}  // namespace tessera::boxdecode
