#pragma once
// Where a detector's network ends and its tail begins: the tail is everything between the outputs and the last
// convolutions, which make the raw heads.

#include <tessera/result.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/onnx/ir.h"

namespace tessera::onnx {

struct Cut {
  std::vector<int> heads;    ///< values that convolutions make (or that were named by hand), in execution order
  std::vector<int> tail;     ///< indices of nodes, in execution order; empty when the heads were named by hand
  std::vector<int> targets;  ///< what the tail computes: the graph's outputs, or boxes and scores before a suppression
};

/// The node that makes each value; kAbsent for constants and inputs.
std::vector<int> producers(const IrGraph& graph);
/// The numbers of an initializer, also through Constant and Identity nodes; nullptr for others.
const Tensor* constant_of(const IrGraph& graph, const std::vector<int>& producer, int value);

/// Walks back from the outputs to convolutions. The mean of a distribution is sometimes written as a convolution whose
/// weights count 0, 1, 2, ...; it belongs to the tail. In front of a NonMaxSuppression its boxes and scores are the
/// outputs.
/// Errors  unsupported: an output does not come from convolutions alone.
Result<Cut> cut_at_heads(const IrGraph& graph);

}  // namespace tessera::onnx
