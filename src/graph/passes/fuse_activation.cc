#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {
namespace {

// Where an operator's last step could apply an activation, if it can.
ActivationSpec* last_activation(Attrs& attrs) {
  if (auto* conv = std::get_if<ConvAttrs>(&attrs)) {
    return conv->epilogue.residual ? &conv->epilogue.post_act : &conv->epilogue.act;
  }
  if (auto* add = std::get_if<AddAttrs>(&attrs)) return &add->act;
  if (auto* mul = std::get_if<MulAttrs>(&attrs)) return &mul->act;
  if (auto* binary = std::get_if<BinaryAttrs>(&attrs)) return &binary->act;
  return nullptr;
}

}  // namespace

Result<int> fuse_activation(Graph& graph) {
  const std::vector<int> uses = rewrite::count_uses(graph);
  std::vector<bool> dropped(graph.nodes.size(), false);
  int count = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto* activation = std::get_if<ActivationAttrs>(&graph.nodes[i].attrs);
    if (!activation) continue;
    const ValueId in = graph.nodes[i].inputs[0];
    ActivationSpec* slot = last_activation(graph.nodes[static_cast<std::size_t>(graph.value(in).producer)].attrs);
    if (!slot || slot->kind != Activation::linear || uses[static_cast<std::size_t>(in)] != 1) continue;
    *slot = activation->act;
    rewrite::take_over(graph, in, graph.nodes[i].output);
    dropped[i] = true;
    ++count;
  }
  if (count) rewrite::drop_nodes(graph, dropped);
  return count;
}

}  // namespace tessera
