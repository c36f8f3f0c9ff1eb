#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

ConvAttrs conv_relu() {
  ConvAttrs conv = conv_of(3, 3);
  conv.epilogue.act.kind = Activation::relu;
  return conv;
}

TEST(FuseResidual, EitherOperandMayBeTheConvolution) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId a = graph.add("a", conv_relu(), {x});
  const ValueId sum = graph.add("sum", AddAttrs{{Activation::mish}}, {x, a});
  const ValueId b = graph.add("b", conv_of(3, 3), {sum});
  graph.outputs = {graph.add("end", AddAttrs{}, {b, sum})};
  EXPECT_EQ(after("fuse-residual", graph, 2),
            "sum = conv+relu+residual+mish(x x)\nend = conv+residual(sum sum)\n-> end");
  EXPECT_EQ(graph.nodes[1].name, "a");
}

TEST(FuseResidual, TheConvolutionWaitsForTheOtherOperand) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId conv = graph.add("conv", conv_of(3, 3), {x});
  const ValueId other = graph.add("other", ActivationAttrs{{Activation::tanh}}, {x});
  graph.outputs = {graph.add("sum", AddAttrs{}, {conv, other})};
  EXPECT_EQ(after("fuse-residual", graph, 1), "other = tanh(x)\nsum = conv+residual(x other)\n-> sum");
}

TEST(FuseResidual, OfTwoConvolutionsTheLater) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId a = graph.add("a", conv_of(3, 3), {x});
  const ValueId b = graph.add("b", conv_relu(), {x});
  graph.outputs = {graph.add("sum", AddAttrs{}, {a, b})};
  EXPECT_EQ(after("fuse-residual", graph, 1), "a = conv(x)\nsum = conv+relu+residual(x a)\n-> sum");
}

TEST(FuseResidual, NotWhenTheSumIsReadElsewhereOrHasThreeParts) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId a = graph.add("a", conv_of(3, 3), {x});
  const ValueId doubled = graph.add("doubled", AddAttrs{}, {a, a});
  const ValueId b = graph.add("b", conv_of(3, 3), {doubled});
  const ValueId sum = graph.add("sum", AddAttrs{}, {b, x});
  const ValueId c = graph.add("c", conv_of(3, 3), {sum});
  const ValueId three = graph.add("three", AddAttrs{}, {c, x, sum});
  graph.outputs = {three, b};
  const std::string before = describe(graph);
  EXPECT_EQ(after("fuse-residual", graph, 0), before);
}

TEST(FuseResidual, AConvolutionAddsOnce) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId a = graph.add("a", conv_of(3, 3), {x});
  const ValueId first = graph.add("first", AddAttrs{}, {a, x});
  graph.outputs = {graph.add("second", AddAttrs{}, {first, x})};
  EXPECT_EQ(after("fuse-residual", graph, 1), "first = conv+residual(x x)\nsecond = add(first x)\n-> second");
}

}  // namespace
}  // namespace tessera::testing
