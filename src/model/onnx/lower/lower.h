#pragma once
// An IrGraph as a graph of the engine: sizes fixed, shape arithmetic folded away, images stored with their channels
// together, transposes and slices turned into views.

#include <tessera/result.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "model/load.h"
#include "model/model.h"
#include "model/onnx/ir.h"

namespace tessera::onnx {

/// What the file leaves open, or what the user wants instead.
struct LowerOptions {
  std::optional<InputSize> size;  ///< height and width of image inputs
  std::int64_t batch = 1;         ///< where the file leaves the first extent open
};

struct Lowered {
  Graph graph;  ///< shapes inferred
  AxisOrders axis_orders;
};

/// `outputs`: values of the IR that become the graph's outputs, in order; nodes that none of them needs are dropped, so
/// a detector's tail is cut by naming its raw heads.
/// Errors  unsupported, listing every operator of the remaining graph that is not known, with counts; and those of the
///         operators, naming the node.
Result<Lowered> lower(std::string_view name, const IrGraph& graph, std::span<const int> outputs,
                      const LowerOptions& options);

/// The inputs' extents with open ones filled in. Errors: an extent that stays open, or --size where the file fixes
/// another.
Result<Dims> input_dims(std::string_view name, const IrGraph& graph, const IrInput& input, const LowerOptions& options);

}  // namespace tessera::onnx
