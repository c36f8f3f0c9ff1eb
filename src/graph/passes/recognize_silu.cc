#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {
namespace {

// Exporters write SiLU as x * logistic(x). The logistic of the node's other operand, or kNone.
int logistic_operand(const Graph& graph, const Node& mul, const std::vector<int>& uses) {
  for (int i = 0; i < 2; ++i) {
    const ValueId id = mul.inputs[static_cast<std::size_t>(i)];
    const ValueId other = mul.inputs[static_cast<std::size_t>(1 - i)];
    const Node& node = graph.producer(id);
    const auto* activation = std::get_if<ActivationAttrs>(&node.attrs);
    if (activation && activation->act.kind == Activation::logistic && node.inputs[0] == other &&
        uses[static_cast<std::size_t>(id)] == 1) {
      return i;
    }
  }
  return kNone;
}

}  // namespace

Result<int> recognize_silu(Graph& graph) {
  const std::vector<int> uses = rewrite::count_uses(graph);
  std::vector<bool> dropped(graph.nodes.size(), false);
  int count = 0;
  for (Node& node : graph.nodes) {
    const auto* mul = std::get_if<MulAttrs>(&node.attrs);
    if (!mul || mul->act.kind != Activation::linear) continue;
    const int operand = logistic_operand(graph, node, uses);
    if (operand == kNone) continue;
    const ValueId logistic = node.inputs[static_cast<std::size_t>(operand)];
    dropped[static_cast<std::size_t>(graph.value(logistic).producer)] = true;
    node.inputs = {node.inputs[static_cast<std::size_t>(1 - operand)]};
    node.attrs = ActivationAttrs{{Activation::silu}};
    ++count;
  }
  if (count) rewrite::drop_nodes(graph, dropped);
  return count;
}

}  // namespace tessera
