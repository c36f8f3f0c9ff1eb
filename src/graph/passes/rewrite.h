#pragma once
// What the passes share: who reads a value, renaming values, dropping and moving nodes.

#include <vector>

#include "graph/graph.h"

namespace tessera::rewrite {

/// Per value: readings by nodes (twice when a node reads it twice) plus its places among the graph's outputs.
std::vector<int> count_uses(const Graph& graph);
bool is_graph_output(const Graph& graph, ValueId id);

/// Every node that reads `from` reads `to`. The graph's outputs stay.
void redirect_readers(Graph& graph, ValueId from, ValueId to);
/// The node that wrote `from` writes `to` instead; whoever wrote `to` must be dropped. Names of results survive
/// fusions: the value that a fused node writes is the last one of the chain.
void take_over(Graph& graph, ValueId from, ValueId to);

/// Keeps nodes[order[0]], nodes[order[1]], ... and the values they write, renumbered.
void reorder(Graph& graph, const std::vector<NodeId>& order);
/// Removes the marked nodes.
void drop_nodes(Graph& graph, const std::vector<bool>& dropped);

}  // namespace tessera::rewrite
