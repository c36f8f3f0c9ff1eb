#pragma once
// Depthwise f32 convolution: groups == ic == oc, any kernel, stride, dilation and padding; vectorised across channels.
//
// Shapes, operands and the formula are those of kernels/conv/conv.h. Per element the taps are added in the order of
// (ky, kx), those outside the image left out; the same input gives the same bits whatever the number of tasks.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/conv/conv.h"

namespace tessera {

/// One row of outputs for one vector of channels.
struct DepthwiseRow {
  const float* src = nullptr;                ///< the first tap's row that lies inside the image, at pixel 0
  std::int64_t src_row = 0, src_stride = 0;  ///< floats from one tap's row to the next, and from pixel to pixel
  const float* weights = nullptr;            ///< [taps_down][kw][lanes]
  const float* start = nullptr;              ///< [lanes]: the bias
  std::int64_t taps_down = 0;                ///< rows of taps inside the image
  std::int64_t iw = 0, ow = 0, kw = 0, sw = 1, dw = 1, pl = 0;
  int channels = 0;  ///< 1 .. lanes
  float* dst = nullptr;
  std::int64_t dst_stride = 0;
  const float* residual = nullptr;
  std::int64_t residual_stride = 0;
  const GemmEpilogue* epilogue = nullptr;
  float* scratch = nullptr;  ///< [ow][lanes]
};

struct DepthwiseKernel {
  int lanes;
  void (*row)(const DepthwiseRow&);
};
/// Best first, plain C++ last.
std::span<const Variant<const DepthwiseKernel>> depthwise_variants();

/// A depthwise convolution with packed weights. Immutable.
class Depthwise {
 public:
  static bool accepts(const ConvShape& shape) { return shape.groups == shape.ic && shape.groups == shape.oc; }

  /// accepts(shape) holds; weights [oc][1][kh][kw], bias null or [oc].
  Depthwise(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
            const DepthwiseKernel& kernel, int threads);

  std::size_t tasks() const noexcept { return static_cast<std::size_t>(tasks_); }
  std::size_t scratch_bytes() const noexcept { return static_cast<std::size_t>(4 * shape_.ow * kernel_->lanes); }
  void run(std::size_t task, const ConvOperands& operands) const noexcept;
  std::int64_t constant_bytes() const noexcept { return 4 * (weights_.size() + bias_.size()); }

 private:
  void run_row(std::int64_t row, const ConvOperands& operands) const noexcept;

  ConvShape shape_;
  GemmEpilogue epilogue_;
  const DepthwiseKernel* kernel_;
  std::int64_t blocks_;          // vectors of channels
  std::int64_t tasks_ = 1;       // ranges of rows
  PackedFloats weights_, bias_;  // [blocks][kh][kw][lanes], [blocks][lanes]
};

}  // namespace tessera
