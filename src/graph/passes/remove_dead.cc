#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {

// Walks backwards, so that one walk sees a node's readers before the node. Inputs stay: the caller counts them.
Result<int> remove_dead(Graph& graph) {
  std::vector<bool> wanted(graph.values.size(), false), dropped(graph.nodes.size(), false);
  for (ValueId id : graph.outputs) wanted[static_cast<std::size_t>(id)] = true;
  int count = 0;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!wanted[static_cast<std::size_t>(node.output)] && !std::holds_alternative<InputAttrs>(node.attrs)) {
      dropped[i] = true;
      ++count;
      continue;
    }
    for (ValueId id : node.inputs) wanted[static_cast<std::size_t>(id)] = true;
  }
  if (count) rewrite::drop_nodes(graph, dropped);
  return count;
}

}  // namespace tessera
