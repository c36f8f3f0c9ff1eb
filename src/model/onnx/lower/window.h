#pragma once
// Kernel, stride, dilation and padding of Conv and the pools, with auto_pad worked out.

#include "model/onnx/lower/lowering.h"

namespace tessera::onnx {

struct Window {
  int kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1;
  Padding pad;
};

/// For an image of these extents. kernel: {kh, kw}, from kernel_shape or the weights. With `ceil` the padding at the
/// end grows so that the last, partial step is taken too.
Result<Window> window_of(const IrNode& node, std::array<std::int64_t, 2> kernel, const Extents& image, bool ceil);

}  // namespace tessera::onnx
