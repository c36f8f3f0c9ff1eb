#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {
namespace {

// The operand (0 or 1) whose convolution can do the addition, or kNone. Of two, the later one: it need not move.
int addend_to_fuse(const Graph& graph, const Node& add, const std::vector<int>& uses) {
  int best = kNone;
  for (int i = 0; i < 2; ++i) {
    const ValueId id = add.inputs[static_cast<std::size_t>(i)];
    const auto* conv = std::get_if<ConvAttrs>(&graph.producer(id).attrs);
    // x + x uses x twice and so never passes.
    if (!conv || conv->epilogue.residual || uses[static_cast<std::size_t>(id)] != 1) continue;
    if (best == kNone || graph.value(id).producer > graph.value(add.inputs[0]).producer) best = i;
  }
  return best;
}

}  // namespace

// y = act(conv(x) + r): the convolution moves to the addition's place in the order, where r has been computed.
Result<int> fuse_residual(Graph& graph) {
  const std::vector<int> uses = rewrite::count_uses(graph);
  std::vector<bool> dropped(graph.nodes.size(), false);
  int count = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& add = graph.nodes[i];
    const auto* attrs = std::get_if<AddAttrs>(&add.attrs);
    if (!attrs || add.inputs.size() != 2) continue;
    const int operand = addend_to_fuse(graph, add, uses);
    if (operand == kNone) continue;
    const ValueId sum = add.inputs[static_cast<std::size_t>(operand)];
    const ValueId residual = add.inputs[static_cast<std::size_t>(1 - operand)];
    const auto conv_at = static_cast<std::size_t>(graph.value(sum).producer);
    Node conv = graph.nodes[conv_at];
    auto& epilogue = std::get<ConvAttrs>(conv.attrs).epilogue;
    epilogue.residual = true;
    epilogue.post_act = attrs->act;
    conv.inputs.push_back(residual);
    conv.output = add.output;
    graph.value(sum).producer = kNone;
    add = std::move(conv);
    dropped[conv_at] = true;
    ++count;
  }
  if (count) rewrite::drop_nodes(graph, dropped);
  return count;
}

}  // namespace tessera
