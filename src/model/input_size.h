#pragma once
// Which input sizes a network can take.

#include <tessera/result.h>

#include "graph/graph.h"
#include "model/load.h"

namespace tessera {

/// Height and width must be multiples of these, the largest strides of any value against the input, so that what is
/// halved and doubled again meets what was not. Attributes only: works before shapes are inferred.
struct SizeMultiple {
  std::int64_t height = 1, width = 1;
};
SizeMultiple size_multiple(const Graph& graph);

/// invalid_argument when the size is out of range or not a multiple.
Status check_input_size(const Graph& graph, InputSize size);

}  // namespace tessera
