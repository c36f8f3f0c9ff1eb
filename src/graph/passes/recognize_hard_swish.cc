#include "graph/passes/functions.h"
#include "graph/passes/list.h"

namespace tessera {
namespace {

/// The x of clamp(x + 3, 0, 6).
ValueId clamped_of(const Graph& graph, ValueId id) {
  ValueId inner = match::activation(graph, id, Activation::relu6);
  if (inner == kNone) inner = match::unary(graph, id, UnaryKind::clip, 0, 6);
  const auto moved = inner == kNone ? std::nullopt : match::shifted(graph, inner);
  return moved && moved->number == 3 ? moved->x : kNone;
}

/// The x of clamp(x / 6 + 1/2, 0, 1).
ValueId hard_sigmoid_of(const Graph& graph, ValueId id) {
  return match::unary(graph, id, UnaryKind::hard_sigmoid, 1.0f / 6, 0.5f);
}

}  // namespace

// x * clamp(x + 3, 0, 6) / 6, the division anywhere. Source: Howard et al. 2019, MobileNetV3 (arXiv:1905.02244).
Result<int> recognize_hard_swish(Graph& graph) {
  return functions::replace_gated(graph, [](const Graph& g, ValueId gate) -> std::optional<functions::Found> {
    const ActivationAttrs hard_swish{{Activation::hard_swish}};
    if (const ValueId x = clamped_of(g, gate); x != kNone) return functions::Found{hard_swish, x, 1.0f / 6};
    if (const ValueId x = hard_sigmoid_of(g, gate); x != kNone) return functions::Found{hard_swish, x};
    return std::nullopt;
  });
}

}  // namespace tessera
