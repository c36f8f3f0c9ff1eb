#pragma once
// Heads and families as a user names them.

#include "model/onnx/detect/detect.h"

namespace tessera::onnx {

/// The values in `heads`, a list per level. Errors  not_found, invalid_argument.
Result<std::vector<std::vector<int>>> named_heads(const IrGraph& graph, const ByHand& by_hand);

/// The hypothesis that the words describe. `all` came from a cut at the named heads (or from the structure, when only
/// the family is named). Errors  invalid_argument: an unknown family, heads whose channels do not fit it.
Result<Hypothesis> named_hypothesis(const IrGraph& graph, const Levels& all, const ByHand& by_hand);

/// Whether the scores were made by a Sigmoid.
bool is_activated(const IrGraph& graph, int value);

}  // namespace tessera::onnx
