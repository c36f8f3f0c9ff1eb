#pragma once
// Runs a detector's tail with evaluate/ on chosen raw heads.

#include <tessera/result.h>

#include <span>
#include <vector>

#include "model/onnx/detect/levels.h"

namespace tessera::onnx {

/// One [1, C, H, W] tensor per head in, one tensor per target out.
/// Errors  those of evaluate, and a value of the network that the tail reads besides the heads.
Result<std::vector<Tensor>> run_tail(const IrGraph& graph, const Cut& cut, std::span<const Tensor> heads,
                                     const ShapeOf& shape_of);

}  // namespace tessera::onnx
