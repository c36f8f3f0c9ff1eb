#pragma once
// One operator on constant tensors: shape arithmetic is folded with it while a graph is lowered, detectors' tails are
// probed with it, and it is the slow twin that the engine's operators are held against. Reals are computed in double
// and rounded once per operator; integers in 64 bits.

#include <tessera/result.h>

#include <span>
#include <vector>

#include "model/onnx/ir.h"

namespace tessera::onnx {

/// Whether evaluate knows the operator: all that importing knows, except convolutions, pools, Resize and normalisation
/// over images (Conv 1x1 is known: distribution-focal tails have one).
bool can_evaluate(std::string_view op);

/// The node's outputs for these inputs (one per node.inputs; nullptr where absent), one tensor per node.outputs.
/// `opset`: of the file, where an operator changed.
/// Errors  corrupt or invalid_argument naming the node: inputs that do not fit the operator; unsupported: an operator
/// or
///         attribute that is not known; limit_exceeded: more than kMaxEvaluated elements.
Result<std::vector<Tensor>> evaluate(const IrNode& node, std::span<const Tensor* const> inputs, std::int64_t opset);

inline constexpr std::int64_t kMaxEvaluated = std::int64_t{1} << 26;

}  // namespace tessera::onnx
