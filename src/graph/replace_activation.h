#pragma once
// One activation in the place of another, in the whole graph: what a port that swaps them loses is then measured.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"

namespace tessera {

/// The activation of this name ("hard_mish"), or nullopt.
std::optional<Activation> parse_activation(std::string_view name) noexcept;

/// Every activation of the kind `from`, alone or in an epilogue, becomes `to`; all at once, so that two can be swapped.
/// Errors  invalid_argument: a name that is none (the message lists them), or a `from` that the graph does not have.
Status replace_activations(Graph& graph, const std::map<std::string, std::string>& from_to);

}  // namespace tessera
