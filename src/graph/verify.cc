#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "graph/ops/ops.h"

namespace tessera {
namespace {

std::string where(const Graph& graph, std::size_t node) {
  return text("node ", node, " ('", graph.nodes[node].name, "')");
}

bool valid(const Graph& graph, ValueId id) { return id >= 0 && static_cast<std::size_t>(id) < graph.values.size(); }

Error broken(std::string message) { return {Code::invalid_argument, std::move(message)}; }

// A node reads only what earlier nodes wrote, and writes one value that names it as producer.
Status check_edges(const Graph& graph, std::size_t index) {
  const Node& node = graph.nodes[index];
  for (ValueId input : node.inputs) {
    if (!valid(graph, input)) return broken(text(where(graph, index), " reads value ", input, ", there is none"));
    if (const NodeId producer = graph.value(input).producer; producer < 0 || producer >= static_cast<NodeId>(index)) {
      return broken(
          text(where(graph, index), " reads '", graph.value(input).name, "', which no earlier node computes"));
    }
  }
  if (!valid(graph, node.output)) {
    return broken(text(where(graph, index), " writes value ", node.output, ", there is none"));
  }
  if (graph.value(node.output).producer != static_cast<NodeId>(index)) {
    return broken(text(where(graph, index), " writes '", graph.value(node.output).name, "', whose producer is node ",
                       graph.value(node.output).producer));
  }
  return {};
}

Status check_names(const Graph& graph) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].name.empty()) return broken(text("node ", i, " has no name"));
    if (!seen.insert(graph.nodes[i].name).second) {
      return broken(text(where(graph, i), " has the name of an earlier node; names must be unique"));
    }
  }
  return {};
}

Status check_input_node(const Graph& graph, const Node& node) {
  const TensorSpec& spec = graph.value(node.output).spec;
  if (std::ranges::count(graph.inputs, node.output) != 1) {
    return op_error(node, "its value must stand once among the graph's inputs");
  }
  if (spec.shape.rank() != 4) return op_error(node, "has shape ", to_string(spec.shape), ", want four extents, NHWC");
  if (spec.dtype != DType::Float32 && spec.dtype != DType::UInt8) {
    return op_error(node, "gives ", to_string(spec.dtype), ", want f32 or u8");
  }
  std::int64_t elements = 1;  // stays below 2^31 * 2^24
  for (std::int64_t extent : spec.shape) {
    if (extent < 1 || extent > kMaxExtent || (elements *= extent) > kMaxElements) {
      return Error{Code::limit_exceeded,
                   text("input '", node.name, "': has shape ", to_string(spec.shape), ", want extents between 1 and ",
                        kMaxExtent, " and at most ", kMaxElements, " elements")};
    }
  }
  return {};
}

Status check_ends(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (std::holds_alternative<InputAttrs>(node.attrs)) TESSERA_TRY(check_input_node(graph, node));
  }
  for (ValueId id : graph.inputs) {
    if (!valid(graph, id) || graph.value(id).producer < 0 ||
        !std::holds_alternative<InputAttrs>(graph.producer(id).attrs)) {
      return broken(text("graph input ", id, " is not the value of an input node"));
    }
  }
  if (graph.outputs.empty()) return broken("the graph has no outputs, want at least one");
  for (ValueId id : graph.outputs) {
    if (!valid(graph, id) || graph.value(id).producer < 0) {
      return broken(text("graph output ", id, " is not computed by any node"));
    }
  }
  return {};
}

bool gives_bytes(const Graph& graph, ValueId id) {
  return graph.value(id).spec.dtype == DType::UInt8 && std::holds_alternative<InputAttrs>(graph.producer(id).attrs);
}

// Of u8 are inputs that from_bytes reads, and nobody else.
Status check_bytes(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    const bool wants = std::holds_alternative<FromBytesAttrs>(node.attrs);
    for (ValueId id : node.inputs) {
      if (gives_bytes(graph, id) == wants) continue;
      const std::string_view fact = wants ? "' of f32, want an input of u8" : "' of u8, which only from_bytes can";
      return op_error(node, "reads '", graph.value(id).name, fact);
    }
  }
  for (ValueId id : graph.outputs) {
    if (gives_bytes(graph, id)) return broken(text("graph output '", graph.value(id).name, "' is of u8, want f32"));
  }
  return {};
}

Status check_structure(const Graph& graph) {
  if (graph.nodes.size() > static_cast<std::size_t>(kMaxNodes)) {
    return Error{Code::limit_exceeded, text("the graph has ", graph.nodes.size(), " nodes, at most ", kMaxNodes)};
  }
  TESSERA_TRY(check_names(graph));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) TESSERA_TRY(check_edges(graph, i));
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const NodeId producer = graph.values[i].producer;
    const bool agreed = producer < 0 || (producer < static_cast<NodeId>(graph.nodes.size()) &&
                                         graph.nodes[producer].output == static_cast<ValueId>(i));
    if (!agreed) {
      return broken(
          text("value '", graph.values[i].name, "' names node ", producer, " as producer, which does not write it"));
    }
  }
  TESSERA_TRY(check_ends(graph));
  return check_bytes(graph);
}

// Calls use(node, extents of its output) for each node but the inputs, in order. The callee may write that value's
// spec.
template <class Use>
Status for_each_inferred(const Graph& graph, const Use& use) {
  std::vector<Extents> inputs;
  std::int64_t channels = 0;
  for (const Node& node : graph.nodes) {
    if (!std::holds_alternative<InputAttrs>(node.attrs)) {
      inputs.clear();
      for (ValueId id : node.inputs) inputs.push_back(extents(graph.value(id).spec));
      const auto out = infer_node(node, inputs);
      if (!out) return out.error();
      TESSERA_TRY(use(node, *out));
    }
    channels += graph.value(node.output).spec.shape[3];
    if (channels > kMaxTotalChannels) {
      return Error{Code::limit_exceeded, text("the graph's values have more than ", kMaxTotalChannels,
                                              " channels in all, reached at '", node.name, "'")};
    }
  }
  return {};
}

}  // namespace

Status infer_shapes(Graph& graph) {
  TESSERA_TRY(check_structure(graph));
  return for_each_inferred(graph, [&graph](const Node& node, const Extents& out) -> Status {
    graph.value(node.output).spec = TensorSpec{.shape = {out.n, out.h, out.w, out.c}};
    return {};
  });
}

Status verify(const Graph& graph) {
  TESSERA_TRY(check_structure(graph));
  for (const Node& node : graph.nodes) {
    const TensorSpec& spec = graph.value(node.output).spec;
    const bool typed = spec.dtype == DType::Float32 || gives_bytes(graph, node.output);
    if (spec.shape.rank() != 4 || !typed || !std::holds_alternative<Contiguous>(spec.layout)) {
      return Error{Code::unsupported,
                   text(op_name(node.attrs), " '", node.name, "': gives ", to_string(spec.shape), " ",
                        to_string(spec.dtype), ", want four extents (NHWC) of f32 without gaps")};
    }
  }
  return for_each_inferred(graph, [&graph](const Node& node, const Extents& out) -> Status {
    const Shape want{out.n, out.h, out.w, out.c};
    const Shape& have = graph.value(node.output).spec.shape;
    if (have == want) return {};
    return op_error(node, "its value is said to be ", to_string(have), ", the operator gives ", to_string(want));
  });
}

}  // namespace tessera
