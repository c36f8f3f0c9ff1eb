#pragma once
// A graph that computes on a picture's numbers, made to read its bytes.

#include "graph/graph.h"

namespace tessera {

/// The graph's one input becomes u8 of the same name and shape, and what read it reads `pixels` of it: whoever wrote
/// byte * scale + shift before, the product rounded, now writes the byte and gets the same bits. Shapes stay inferred.
/// Errors  invalid_argument: not one input, one of u8 already, or other than 1 to 4 channels, as many as `pixels` has;
///         the graph is then of no use.
Status take_bytes(Graph& graph, FromBytesAttrs pixels);

}  // namespace tessera
