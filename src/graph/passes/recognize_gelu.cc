#include <algorithm>

#include "graph/passes/functions.h"
#include "graph/passes/list.h"

namespace tessera {
namespace {

constexpr float kRootHalf = 0.70710678f, kRootTwoOverPi = 0.79788456f, kCubic = 0.044715f;

/// Whether `id` is 0.044715 x^3, the cube as a power or as a product.
bool is_cubic_term(const Graph& graph, ValueId id, ValueId x) {
  const match::Product product = match::product(graph, id, x);
  if (!match::near(product.number, kCubic)) return false;
  int exponent = 0;
  for (const ValueId factor : product.values) {
    if (factor == x)
      exponent += 1;
    else if (match::power(graph, factor, 2) == x)
      exponent += 2;
    else if (match::power(graph, factor, 3) == x)
      exponent += 3;
    else
      return false;
  }
  return exponent == 3;
}

/// The x of x + 0.044715 x^3.
ValueId polynomial_of(const Graph& graph, ValueId id) {
  const auto sum = match::sum(graph, id);
  if (!sum) return kNone;
  if (is_cubic_term(graph, sum->b, sum->a)) return sum->a;
  return is_cubic_term(graph, sum->a, sum->b) ? sum->b : kNone;
}

/// The x of erf(x / sqrt(2)).
ValueId erf_of(const Graph& graph, ValueId id) {
  const ValueId argument = match::unary(graph, id, UnaryKind::erf);
  const auto scaled = argument == kNone ? std::nullopt : match::scaled(graph, argument);
  return scaled && match::near(scaled->number, kRootHalf) ? scaled->x : kNone;
}

/// The x of tanh(sqrt(2 / pi) * (x + 0.044715 x^3)).
ValueId tanh_of(const Graph& graph, ValueId id) {
  const ValueId argument = match::activation(graph, id, Activation::tanh);
  const auto scaled = argument == kNone ? std::nullopt : match::scaled(graph, argument);
  return scaled && match::near(scaled->number, kRootTwoOverPi) ? polynomial_of(graph, scaled->x) : kNone;
}

}  // namespace

// x * (1 + erf(x / sqrt(2))) / 2, or its form with tanh. Source: Hendrycks and Gimpel 2016 (arXiv:1606.08415).
Result<int> recognize_gelu(Graph& graph) {
  return functions::replace_gated(graph, [](const Graph& g, ValueId gate) -> std::optional<functions::Found> {
    const auto grown = match::shifted(g, gate);
    if (!grown || grown->number != 1) return std::nullopt;
    if (const ValueId x = erf_of(g, grown->x); x != kNone)
      return functions::Found{UnaryAttrs{UnaryKind::gelu}, x, 0.5f};
    if (const ValueId x = tanh_of(g, grown->x); x != kNone) {
      return functions::Found{UnaryAttrs{UnaryKind::gelu_tanh}, x, 0.5f};
    }
    return std::nullopt;
  });
}

}  // namespace tessera
