#include "graph/passes/list.h"
#include "graph/passes/rewrite.h"

namespace tessera {
namespace {

struct IsIdentity {
  const Graph& graph;
  const Node& node;

  bool operator()(const IdentityAttrs&) const { return true; }
  bool operator()(const ActivationAttrs& a) const { return a.act.kind == Activation::linear; }
  bool operator()(const ConcatAttrs&) const { return node.inputs.size() == 1; }
  bool operator()(const SliceAttrs& a) const { return a.count == extents(graph.value(node.inputs[0]).spec).c; }
  bool operator()(const PoolAttrs& a) const {
    return a.kh == 1 && a.kw == 1 && a.sh == 1 && a.sw == 1 && a.pad == Padding{};
  }
  bool operator()(const ReshapeAttrs& a) const {
    const Extents e = extents(graph.value(node.inputs[0]).spec);
    return a.shape == Shape4{e.n, e.h, e.w, e.c};
  }
  bool operator()(const UpsampleAttrs& a) const { return a.factor_h == 1 && a.factor_w == 1 && a.scale == 1.0f; }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }
};

// Both ends visible from outside: the copy is what the caller asked for.
bool must_stay(const Graph& graph, ValueId in, ValueId out) {
  return rewrite::is_graph_output(graph, out) &&
         (rewrite::is_graph_output(graph, in) || std::holds_alternative<InputAttrs>(graph.producer(in).attrs));
}

}  // namespace

Result<int> drop_identities(Graph& graph) {
  std::vector<bool> dropped(graph.nodes.size(), false);
  int count = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!std::visit(IsIdentity{graph, node}, node.attrs)) continue;
    const ValueId in = node.inputs[0], out = node.output;
    if (must_stay(graph, in, out)) continue;
    if (rewrite::is_graph_output(graph, out)) {  // the output keeps its name
      rewrite::redirect_readers(graph, in, out);
      rewrite::take_over(graph, in, out);
    } else {
      rewrite::redirect_readers(graph, out, in);
    }
    dropped[i] = true;
    ++count;
  }
  if (count) rewrite::drop_nodes(graph, dropped);
  return count;
}

}  // namespace tessera
