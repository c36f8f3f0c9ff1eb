#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

const ActivationAttrs kLogistic{{Activation::logistic}};

TEST(RecognizeSilu, WithTheOperandsInEitherOrder) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId s = graph.add("s", kLogistic, {x});
  const ValueId y = graph.add("y", MulAttrs{}, {x, s});
  const ValueId t = graph.add("t", kLogistic, {y});
  graph.outputs = {graph.add("z", MulAttrs{}, {t, y})};
  EXPECT_EQ(after("recognize-silu", graph, 2), "y = silu(x)\nz = silu(y)\n-> z");
}

// A logistic that is an output too stays, and the product needs it no more.
TEST(RecognizeSilu, NotForAGateButBesideASharedLogistic) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId y = graph.add("y", ActivationAttrs{{Activation::relu}}, {x});
  const ValueId gate = graph.add("gate", MulAttrs{}, {x, graph.add("s", kLogistic, {y})});
  const ValueId shared = graph.add("shared", kLogistic, {gate});
  graph.outputs = {graph.add("z", MulAttrs{}, {gate, shared}), shared};
  EXPECT_EQ(after("recognize-silu", graph, 1),
            "y = relu(x)\ns = logistic(y)\ngate = mul(x s)\nshared = logistic(gate)\nz = silu(gate)\n-> z shared");
}

}  // namespace
}  // namespace tessera::testing
