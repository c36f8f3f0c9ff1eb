#pragma once
// The tilings of winograd.h and the order of a tile's elements. Along one axis
//
//   F(4, 3)             4 outputs take 6 inputs, transformed into 6 elements, each with a transformed weight of its own
//   F(2, 3)             2 outputs take 4 inputs, 4 elements
//   F(4, 3) stride 2    4 outputs take 9 inputs: y_i = g0 d_2i + g2 d_(2i+2) + g1 d_(2i+1). The five even inputs make 5
//                       elements with weights of their own (F(4, 2) of g0 and g2), the four odd ones are elements as
//                       they are, all with weight g1
//
// Elements with the same weights are of one class and adjacent: they are rows of one product.

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera {

struct WinogradScheme {
  static constexpr std::int64_t kMaxClasses = 36, kMaxElements = 81;
  const char* name;
  std::int64_t stride, out, in, axis_classes;  ///< along one axis; `in` is also the number of elements
  std::array<std::int64_t, kMaxClasses + 1>
      first;  ///< where the elements of a class begin; behind the last: their number

  constexpr std::int64_t classes() const { return axis_classes * axis_classes; }
  constexpr std::int64_t elements() const { return in * in; }
  /// The last class of an axis has all elements that are left.
  constexpr std::int64_t copies(std::int64_t axis_class) const {
    return axis_class == axis_classes - 1 ? in - axis_class : 1;
  }
  /// The number of the element at (y, x), both in [0, in).
  constexpr std::int64_t place(std::int64_t y, std::int64_t x) const {
    const std::int64_t last = axis_classes - 1, cy = y < last ? y : last, cx = x < last ? x : last;
    return first[static_cast<std::size_t>(cy * axis_classes + cx)] + (y - cy) * copies(cx) + x - cx;
  }
};

constexpr WinogradScheme make_winograd_scheme(const char* name, std::int64_t stride, std::int64_t out, std::int64_t in,
                                              std::int64_t axis_classes) {
  WinogradScheme scheme{name, stride, out, in, axis_classes, {}};
  for (std::int64_t c = 0; c < scheme.classes(); ++c) {
    scheme.first[static_cast<std::size_t>(c + 1)] =
        scheme.first[static_cast<std::size_t>(c)] + scheme.copies(c / axis_classes) * scheme.copies(c % axis_classes);
  }
  return scheme;
}

inline constexpr WinogradScheme kWinogradF4 = make_winograd_scheme("F(4x4, 3x3)", 1, 4, 6, 6),
                                kWinogradF2 = make_winograd_scheme("F(2x2, 3x3)", 1, 2, 4, 4),
                                kWinogradF4Stride2 = make_winograd_scheme("F(4x4, 3x3) stride 2", 2, 4, 9, 6);

}  // namespace tessera
