#pragma once
// Up to eight extents or strides, inline: how operators that rearrange name the axes they walk.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace tessera {

/// More numbers than kMax are counted, not kept: the verifier sees the count and refuses.
struct Dims {
  static constexpr int kMax = 8;
  std::array<std::int64_t, kMax> values{};
  int count = 0;

  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<std::int64_t> numbers) {
    for (std::int64_t number : numbers) push_back(number);
  }
  constexpr void push_back(std::int64_t number) {
    if (count < kMax) values[static_cast<std::size_t>(count)] = number;
    if (count <= kMax) ++count;
  }
  constexpr std::int64_t operator[](int axis) const { return values[static_cast<std::size_t>(axis)]; }
  constexpr std::int64_t& operator[](int axis) { return values[static_cast<std::size_t>(axis)]; }
  constexpr int size() const { return count; }
  constexpr bool fits() const { return count >= 0 && count <= kMax; }
  constexpr const std::int64_t* begin() const { return values.data(); }
  constexpr const std::int64_t* end() const { return values.data() + (fits() ? count : kMax); }
  bool operator==(const Dims&) const = default;
};

/// Four extents, NHWC, as an attribute states them.
using Shape4 = std::array<std::int64_t, 4>;

}  // namespace tessera
