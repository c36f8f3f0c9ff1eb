#include <gmock/gmock.h>

#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

// scale = gamma / sqrt(variance + epsilon) = {2 / 2, 3 / 1}; all numbers exact.
BatchNormAttrs norm() { return {constant({2, 3}), constant({10, 20}), constant({1, 2}), constant({3, 0}), 1.0f}; }

TEST(FoldBatchNorm, IntoTheConvolutionBefore) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 1});
  const Constant weights = constant({4, 5});
  ConvAttrs attrs{.oc = 2, .weights = weights, .bias = constant({1, 1})};
  const ValueId conv = graph.add("conv", attrs, {x});
  graph.outputs = {graph.add("norm", norm(), {conv})};
  EXPECT_EQ(after("fold-batch-norm", graph, 1), "norm = conv(x)\n-> norm");
  const auto& folded = std::get<ConvAttrs>(graph.nodes[1].attrs);
  EXPECT_EQ(graph.nodes[1].name, "conv");
  EXPECT_THAT(*folded.weights, ElementsAre(4, 15));
  EXPECT_THAT(*folded.bias, ElementsAre(1 + 10 - 1, 3 + 20 - 6));
  EXPECT_THAT(*weights, ElementsAre(4, 5)) << "the model's own constants changed";
}

TEST(FoldBatchNorm, BecomesADepthwiseConvolutionWhereNothingTakesIt) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 2});
  const ValueId first = graph.add("first", norm(), {x});
  const ValueId conv = graph.add("conv", conv_of(2, 2), {first});  // two readers
  const ValueId second = graph.add("second", norm(), {conv});
  ConvAttrs relu = conv_of(2, 2);
  relu.epilogue.act.kind = Activation::relu;
  const ValueId active = graph.add("active", relu, {conv});
  const ValueId third = graph.add("third", norm(), {active});
  graph.outputs = {graph.add("sum", AddAttrs{}, {second, third})};
  EXPECT_EQ(after("fold-batch-norm", graph, 3),
            "first = dwconv(x)\nconv = conv(first)\nsecond = dwconv(conv)\nactive = conv+relu(conv)\n"
            "third = dwconv(active)\nsum = add(second third)\n-> sum");
  const auto& folded = std::get<ConvAttrs>(graph.nodes[1].attrs);
  EXPECT_THAT(*folded.weights, ElementsAre(1, 3));
  EXPECT_THAT(*folded.bias, ElementsAre(9, 14));
}

TEST(FoldBatchNorm, ASumThatIsAnOutputStays) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 2});
  const ValueId conv = graph.add("conv", conv_of(2, 2), {x});
  graph.outputs = {conv, graph.add("norm", norm(), {conv})};
  EXPECT_EQ(after("fold-batch-norm", graph, 1), "conv = conv(x)\nnorm = dwconv(conv)\n-> conv norm");
}

}  // namespace
}  // namespace tessera::testing
