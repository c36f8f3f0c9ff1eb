#pragma once
// What the passes that recognise functions written as small operators share: a value as a product or a sum, whatever
// the order and the bracketing an exporter chose. Only element-wise operators without broadcasting, whose activation is
// linear, take part.

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tessera::match {

/// number * values[0] * values[1] * ...; a value that is no product is its own only factor.
struct Product {
  float number = 1;
  std::vector<ValueId> values;
};
/// Multiplications, and divisions by numbers, are followed up to a depth that covers what exporters write, but not
/// beyond `whole`, which is a factor even if it is a product itself.
Product product(const Graph& graph, ValueId id, ValueId whole = kNone);

/// x * number with the number on either side, or x / number; x may be a product.
struct Scaled {
  ValueId x = kNone;
  float number = 1;
};
std::optional<Scaled> scaled(const Graph& graph, ValueId id);

/// x + number with the number on either side, or x - number.
struct Shifted {
  ValueId x = kNone;
  float number = 0;
};
std::optional<Shifted> shifted(const Graph& graph, ValueId id);

/// The two terms of a sum of two values, in either form that sums have.
struct Sum {
  ValueId a = kNone, b = kNone;
};
std::optional<Sum> sum(const Graph& graph, ValueId id);

/// The operand of the unary operator or activation that makes `id`; kNone when something else does.
ValueId unary(const Graph& graph, ValueId id, UnaryKind kind);
ValueId activation(const Graph& graph, ValueId id, Activation kind);
/// The operand of the unary operator with these parameters, each within what `near` allows.
ValueId unary(const Graph& graph, ValueId id, UnaryKind kind, float alpha, float beta);
/// x of pow(x, exponent).
ValueId power(const Graph& graph, ValueId id, float exponent);

/// Equal but for what rounding a constant to f32 twice may change.
bool near(float a, float b);

}  // namespace tessera::match
