#pragma once
// Visits every place of some extents in row-major order, keeping the offsets of N operands with strides of their own.

#include <array>

#include "model/onnx/shapes.h"

namespace tessera::onnx {

/// visit(offsets): std::array<std::int64_t, N>. Extents of 0 visit nothing.
template <std::size_t N, class F>
void walk(const Dims& dims, const std::array<Dims, N>& strides, F&& visit) {
  std::array<std::int64_t, N> at{};
  std::array<std::int64_t, Dims::kMax> index{};
  for (std::int64_t left = product(dims); left > 0; --left) {
    visit(at);
    for (int axis = dims.count - 1; axis >= 0; --axis) {
      const bool carry = ++index[static_cast<std::size_t>(axis)] == dims[axis];
      for (std::size_t n = 0; n < N; ++n) at[n] += strides[n][axis] * (carry ? 1 - dims[axis] : 1);
      if (!carry) break;
      index[static_cast<std::size_t>(axis)] = 0;
    }
  }
}

}  // namespace tessera::onnx
