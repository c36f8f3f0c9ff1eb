#include "graph/take_bytes.h"

#include <algorithm>

#include "base/text.h"

namespace tessera {
namespace {

constexpr std::int64_t kMostChannels = 4;  // of a picture

Status check(const Graph& graph, const FromBytesAttrs& pixels) {
  const auto refused = [](const auto&... parts) { return Error{Code::invalid_argument, text("bytes: ", parts...)}; };
  if (graph.inputs.size() != 1) {
    return refused("the graph has ", graph.inputs.size(), " inputs, want one, the picture");
  }
  const Value& input = graph.value(graph.inputs.front());
  const std::int64_t channels = extents(input.spec).c, have = static_cast<std::int64_t>(pixels.scale.size());
  if (input.spec.dtype == DType::UInt8) return refused("input '", input.name, "' is of u8 already");
  if (channels > kMostChannels || channels != have) {
    return refused("input '", input.name, "' has ", channels, " channels, want ", have, ", at most ", kMostChannels);
  }
  return {};
}

/// A name that no node has.
std::string free_name(const Graph& graph, std::string name) {
  while (std::ranges::find(graph.nodes, name, &Node::name) != graph.nodes.end()) name += '_';
  return name;
}

void replace(std::vector<ValueId>& ids, ValueId from, ValueId to) { std::ranges::replace(ids, from, to); }

}  // namespace

Status take_bytes(Graph& graph, FromBytesAttrs pixels) {
  TESSERA_TRY(check(graph, pixels));
  const ValueId bytes = graph.inputs.front();
  const auto numbers = static_cast<ValueId>(graph.values.size());
  for (Node& node : graph.nodes) replace(node.inputs, bytes, numbers);
  replace(graph.outputs, bytes, numbers);
  graph.add(free_name(graph, graph.value(bytes).name + ".f32"), std::move(pixels), {bytes});
  graph.value(bytes).spec.dtype = DType::UInt8;
  // Its readers come after it: right behind the input.
  std::rotate(graph.nodes.begin() + graph.value(bytes).producer + 1, graph.nodes.end() - 1, graph.nodes.end());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    graph.value(graph.nodes[i].output).producer = static_cast<NodeId>(i);
  return infer_shapes(graph);
}

}  // namespace tessera
