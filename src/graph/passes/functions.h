#pragma once
// A function of x that an exporter wrote as x times a gate, which is a function of x too: what the recognize-* passes
// share.

#include <optional>

#include "graph/passes/match.h"

namespace tessera::functions {

/// number * x * gate is what `attrs` computes of x in one step.
struct Found {
  Attrs attrs;
  ValueId x = kNone;
  float number = 1;
};
/// The function that `gate` belongs to, if any.
using Recognize = std::optional<Found>(const Graph& graph, ValueId gate);

/// Asks about each factor of each product. Where the rest of the product fits too, its last node becomes the one step,
/// and nodes that nobody reads any more go. A gate that others read stays for them. Returns how many places changed.
Result<int> replace_gated(Graph& graph, Recognize* recognize);

}  // namespace tessera::functions
