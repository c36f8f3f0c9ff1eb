#include "model/onnx/onnx.h"

#include <utility>

#include "model/onnx/lower/lower.h"
#include "model/onnx/read/read.h"

namespace tessera::onnx {
namespace {

/// The only input as a picture's contract, where it is one: three channels, two sides.
Preprocess preprocess_of(const Graph& graph) {
  Preprocess out;
  if (graph.inputs.size() != 1) return out;
  const Extents in = extents(graph.value(graph.inputs.front()).spec);
  if (in.c != 3 || in.h < 2 || in.w < 2) return out;
  out.height = static_cast<int>(in.h);
  out.width = static_cast<int>(in.w);
  return out;
}

Result<Model> load(const ModelBytes& bytes) {
  const auto graph = read(bytes.name, bytes.model, bytes.folder);
  if (!graph) return graph.error();
  auto lowered = lower(bytes.name, *graph, graph->outputs, {bytes.size, bytes.batch});
  if (!lowered) return lowered.error();
  Model model;
  model.name = bytes.name;
  model.format = kOnnx.name;
  model.graph = std::move(lowered->graph);
  model.axis_orders = std::move(lowered->axis_orders);
  model.preprocess = preprocess_of(model.graph);
  return model;
}

}  // namespace

const Format kOnnx{"onnx", ".onnx", "ONNX, operator sets 7 to 21, float weights", false, recognizes, load};

}  // namespace tessera::onnx
