#include "graph/passes/functions.h"

#include <algorithm>

#include "graph/passes/list.h"

namespace tessera::functions {
namespace {

std::optional<Found> find(const Graph& graph, ValueId id, Recognize* recognize) {
  for (const ValueId gate : match::product(graph, id).values) {
    auto found = recognize(graph, gate);
    if (!found || gate == id) continue;
    const match::Product whole = match::product(graph, id, found->x);
    const ValueId both[] = {found->x, gate};
    if (match::near(whole.number, found->number) && std::ranges::is_permutation(whole.values, both)) return found;
  }
  return std::nullopt;
}

}  // namespace

Result<int> replace_gated(Graph& graph, Recognize* recognize) {
  int count = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    auto found = find(graph, graph.nodes[i].output, recognize);
    if (!found) continue;
    graph.nodes[i].inputs = {found->x};
    graph.nodes[i].attrs = std::move(found->attrs);
    ++count;
  }
  if (count == 0) return 0;
  const auto removed = remove_dead(graph);
  if (!removed) return removed.error();
  return count;
}

}  // namespace tessera::functions
