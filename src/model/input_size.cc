#include "model/input_size.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace tessera {
namespace {

// Strides beyond any input: more halvings only shrink to nothing, and products must not overflow.
constexpr std::int64_t kCap = kMaxInputExtent;

std::int64_t coarser(std::int64_t stride, int step) { return std::min(stride * step, kCap); }
std::int64_t finer(std::int64_t stride, int factor) { return std::max<std::int64_t>(stride / factor, 1); }

/// How far apart, in input pixels, neighbouring places of the node's output are.
SizeMultiple output_stride(const Attrs& attrs, SizeMultiple in) {
  if (const auto* conv = std::get_if<ConvAttrs>(&attrs))
    return {coarser(in.height, conv->sh), coarser(in.width, conv->sw)};
  if (const auto* pool = std::get_if<PoolAttrs>(&attrs))
    return {coarser(in.height, pool->sh), coarser(in.width, pool->sw)};
  if (const auto* up = std::get_if<UpsampleAttrs>(&attrs)) {
    return {finer(in.height, up->factor_h), finer(in.width, up->factor_w)};
  }
  if (std::holds_alternative<GlobalAveragePoolAttrs>(attrs)) return {};  // fits every grid
  return in;
}

}  // namespace

SizeMultiple size_multiple(const Graph& graph) {
  std::vector<SizeMultiple> strides(graph.values.size());
  SizeMultiple largest;
  for (const Node& node : graph.nodes) {
    SizeMultiple in;
    for (ValueId id : node.inputs) {
      const SizeMultiple& one = strides[static_cast<std::size_t>(id)];
      in = {std::max(in.height, one.height), std::max(in.width, one.width)};
    }
    const SizeMultiple out = output_stride(node.attrs, in);
    strides[static_cast<std::size_t>(node.output)] = out;
    largest = {std::max(largest.height, out.height), std::max(largest.width, out.width)};
  }
  return largest;
}

Status check_input_size(const Graph& graph, InputSize size) {
  const SizeMultiple want = size_multiple(graph);
  const bool in_range = std::min(size.height, size.width) >= 1 && std::max(size.height, size.width) <= kMaxInputExtent;
  if (in_range && size.height % want.height == 0 && size.width % want.width == 0) return {};
  const auto sides = want.height == want.width
                         ? text("both sides multiples of ", want.height)
                         : text("the height a multiple of ", want.height, ", the width of ", want.width);
  return Error{Code::invalid_argument,
               text("input size ", size.height, "x", size.width, " (height x width): the network wants ", sides,
                    ", at most ", kMaxInputExtent)};
}

Status set_input_size(Model& model, InputSize size) {
  if (model.graph.inputs.size() != 1) {
    return Error{Code::unsupported, text("model '", model.name, "': ", model.graph.inputs.size(),
                                         " inputs; a size can be set for one only")};
  }
  TESSERA_TRY(check_input_size(model.graph, size));
  Graph graph = model.graph;  // constants are shared, so this is cheap; the model stays whole on error
  TensorSpec& spec = graph.value(graph.inputs.front()).spec;
  spec.shape[1] = size.height;
  spec.shape[2] = size.width;
  TESSERA_TRY(infer_shapes(graph));
  TESSERA_TRY(verify(graph));
  model.graph = std::move(graph);
  if (model.preprocess.width != 0) model.preprocess.height = size.height, model.preprocess.width = size.width;
  return {};
}

}  // namespace tessera
