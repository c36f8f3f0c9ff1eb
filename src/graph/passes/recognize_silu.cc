#include "graph/passes/functions.h"
#include "graph/passes/list.h"

namespace tessera {

// x * logistic(x). Source: Elfwing, Uchibe, Doya 2017 (arXiv:1702.03118).
Result<int> recognize_silu(Graph& graph) {
  return functions::replace_gated(graph, [](const Graph& g, ValueId gate) -> std::optional<functions::Found> {
    const ValueId x = match::activation(g, gate, Activation::logistic);
    if (x == kNone) return std::nullopt;
    return functions::Found{ActivationAttrs{{Activation::silu}}, x};
  });
}

}  // namespace tessera
