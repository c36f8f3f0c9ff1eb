#include "graph/passes/functions.h"
#include "graph/passes/list.h"

namespace tessera {
namespace {

/// The x of softplus(x), or of log(exp(x) + 1). Where exp overflows the latter gives infinity, and Mish x all the same.
ValueId softplus_of(const Graph& graph, ValueId id) {
  const ValueId direct = match::unary(graph, id, UnaryKind::softplus);
  if (direct != kNone) return direct;
  const ValueId grown = match::unary(graph, id, UnaryKind::log);
  const auto more = grown == kNone ? std::nullopt : match::shifted(graph, grown);
  return more && more->number == 1 ? match::unary(graph, more->x, UnaryKind::exp) : kNone;
}

}  // namespace

// x * tanh(softplus(x)). Source: Misra 2019, Mish (arXiv:1908.08681).
Result<int> recognize_mish(Graph& graph) {
  return functions::replace_gated(graph, [](const Graph& g, ValueId gate) -> std::optional<functions::Found> {
    const ValueId inner = match::activation(g, gate, Activation::tanh);
    const ValueId x = inner == kNone ? kNone : softplus_of(g, inner);
    if (x == kNone) return std::nullopt;
    return functions::Found{ActivationAttrs{{Activation::mish}}, x};
  });
}

}  // namespace tessera
