#include <algorithm>
#include <map>

#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {
namespace {

// Max, stride 1, odd window, output as large as the input.
bool is_same_max(const Node& node) {
  const auto* pool = std::get_if<PoolAttrs>(&node.attrs);
  if (!pool || pool->kind != PoolAttrs::Kind::max || pool->kh != pool->kw || pool->kh % 2 == 0) return false;
  const int pad = pool->kh / 2;
  return pool->sh == 1 && pool->sw == 1 && pool->dh == 1 && pool->dw == 1 && pool->pad == Padding{pad, pad, pad, pad};
}

int kernel(const Graph& graph, NodeId id) {
  return std::get<PoolAttrs>(graph.nodes[static_cast<std::size_t>(id)].attrs).kh;
}

// The maximum over 9 is the maximum over 5 of maxima over 5 (windows clipped at the border reach the border both ways),
// the one over 13 adds a third. `pools` is sorted by kernel and reads one value.
int cascade(Graph& graph, const std::vector<NodeId>& pools) {
  int count = 0;
  for (std::size_t i = pools.size() - 1; i > 0; --i) {  // largest first: its predecessor's kernel is still the original
    const int narrower = kernel(graph, pools[i - 1]), wide = kernel(graph, pools[i]);
    if (narrower == wide || narrower == 1) continue;
    Node& node = graph.nodes[static_cast<std::size_t>(pools[i])];
    const int rest = wide - narrower + 1, pad = rest / 2;
    node.attrs = PoolAttrs{.kh = rest, .kw = rest, .sh = 1, .sw = 1, .pad = {pad, pad, pad, pad}};
    node.inputs = {graph.nodes[static_cast<std::size_t>(pools[i - 1])].output};
    ++count;
  }
  return count;
}

}  // namespace

Result<int> spp_cascade(Graph& graph) {
  std::map<ValueId, std::vector<NodeId>> groups;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_same_max(graph.nodes[i])) groups[graph.nodes[i].inputs[0]].push_back(static_cast<NodeId>(i));
  }
  int count = 0;
  std::vector<std::vector<NodeId>> at(graph.nodes.size());  // what stands in each place of the order
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = {static_cast<NodeId>(i)};
  for (auto& [value, pools] : groups) {
    for (NodeId id : pools) at[static_cast<std::size_t>(id)].clear();
    const auto first =
        static_cast<std::size_t>(pools.front());  // all inputs are there already at the first one's place
    std::ranges::stable_sort(pools, {}, [&graph](NodeId id) { return kernel(graph, id); });
    at[first] = pools;
    count += cascade(graph, pools);
  }
  std::vector<NodeId> order;
  for (const auto& place : at) order.insert(order.end(), place.begin(), place.end());
  if (count) rewrite::reorder(graph, order);
  return count;
}

}  // namespace tessera
