#pragma once
// One axis of a tensor as lines of numbers that lie `stride` apart: for operators that work along an axis.

#include "model/onnx/evaluate/call.h"

namespace tessera::onnx {

struct Lines {
  std::int64_t outer, count, stride;  ///< outer * stride lines of count numbers

  Lines(const Dims& dims, int first, int last)
      : outer(product(dims, 0, first)), count(product(dims, first, last)), stride(product(dims, last, dims.count)) {}

  /// visit(begin): number i of the line is at begin + i * stride; `line` counts them in row-major order.
  template <class F>
  void each(F&& visit) const {
    for (std::int64_t line = 0; line < outer * stride; ++line) {
      visit(line / stride * count * stride + line % stride, line);
    }
  }
  std::size_t at(std::int64_t begin, std::int64_t i) const { return static_cast<std::size_t>(begin + i * stride); }
};

}  // namespace tessera::onnx
