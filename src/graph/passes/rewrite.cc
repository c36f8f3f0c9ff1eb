#include "graph/passes/rewrite.h"

#include <algorithm>

namespace tessera::rewrite {

std::vector<int> count_uses(const Graph& graph) {
  std::vector<int> uses(graph.values.size(), 0);
  for (const Node& node : graph.nodes) {
    for (ValueId id : node.inputs) ++uses[static_cast<std::size_t>(id)];
  }
  for (ValueId id : graph.outputs) ++uses[static_cast<std::size_t>(id)];
  return uses;
}

bool is_graph_output(const Graph& graph, ValueId id) { return std::ranges::count(graph.outputs, id) != 0; }

void redirect_readers(Graph& graph, ValueId from, ValueId to) {
  for (Node& node : graph.nodes) std::ranges::replace(node.inputs, from, to);
}

void take_over(Graph& graph, ValueId from, ValueId to) {
  const NodeId producer = graph.value(from).producer;
  graph.nodes[static_cast<std::size_t>(producer)].output = to;
  graph.value(to).producer = producer;
  graph.value(from).producer = kNone;
}

void reorder(Graph& graph, const std::vector<NodeId>& order) {
  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<ValueId> renamed(graph.values.size(), kNone);
  nodes.reserve(order.size());
  for (NodeId old : order) {
    Node& node = graph.nodes[static_cast<std::size_t>(old)];
    renamed[static_cast<std::size_t>(node.output)] = static_cast<ValueId>(values.size());
    values.push_back(std::move(graph.value(node.output)));
    values.back().producer = static_cast<NodeId>(nodes.size());
    nodes.push_back(std::move(node));
  }
  const auto rename = [&renamed](ValueId& id) { id = renamed[static_cast<std::size_t>(id)]; };
  for (Node& node : nodes) {
    std::ranges::for_each(node.inputs, rename);
    rename(node.output);
  }
  std::ranges::for_each(graph.inputs, rename);
  std::ranges::for_each(graph.outputs, rename);
  graph.nodes = std::move(nodes);
  graph.values = std::move(values);
}

void drop_nodes(Graph& graph, const std::vector<bool>& dropped) {
  std::vector<NodeId> order;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!dropped[i]) order.push_back(static_cast<NodeId>(i));
  }
  reorder(graph, order);
}

}  // namespace tessera::rewrite
