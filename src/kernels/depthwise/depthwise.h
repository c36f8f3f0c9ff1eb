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

/// Some rows of outputs of one image.
struct DepthwiseRows {
  const ConvShape* shape = nullptr;
  const GemmEpilogue* epilogue = nullptr;
  std::int64_t from = 0, to = 0;   ///< which rows
  std::int64_t vectors = 0;        ///< of weights, see vectors_of_weights()
  const float* weights = nullptr;  ///< [vectors][kh][kw][lanes]
  const float* bias = nullptr;     ///< [vectors][lanes]
  ConvOperands operands;           ///< of the image; scratch: [2][ow][lanes]
};

struct DepthwiseKernel {
  int lanes;
  void (*rows)(const DepthwiseRows&);
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
  std::size_t scratch_bytes() const noexcept { return static_cast<std::size_t>(2 * 4 * shape_.ow * kernel_->lanes); }
  void run(std::size_t task, const ConvOperands& operands) const noexcept;
  /// run_rows gives the bits of run, wherever the rows are cut.
  bool by_rows() const noexcept { return true; }
  /// Rows [from, to) of the outputs of one image, whose operands begin at its row 0.
  void run_rows(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept;
  std::int64_t constant_bytes() const noexcept { return 4 * (weights_.size() + bias_.size()); }

 private:
  ConvShape shape_;
  GemmEpilogue epilogue_;
  const DepthwiseKernel* kernel_;
  std::int64_t vectors_;         // of channels
  std::int64_t tasks_ = 1;       // ranges of rows
  PackedFloats weights_, bias_;  // [vectors][kh][kw][lanes], [vectors][lanes]
};

}  // namespace tessera
