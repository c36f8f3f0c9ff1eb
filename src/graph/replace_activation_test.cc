#include "graph/replace_activation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

Graph with_activations() {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 2, 2, 3});
  x = graph.add("mish", ActivationAttrs{{Activation::mish}}, {x});
  x = graph.add("leaky", ActivationAttrs{{Activation::leaky, 0.3f}}, {x});
  ConvAttrs conv;
  conv.epilogue.act.kind = Activation::mish;
  conv.epilogue.post_act.kind = Activation::mish;  // not applied: there is no residual
  x = graph.add("conv", conv, {x});
  return graph;
}
Activation kind(const Graph& graph, std::size_t node) {
  return std::get<ActivationAttrs>(graph.nodes[node].attrs).act.kind;
}

TEST(ReplaceActivation, EverywhereItIsApplied) {
  Graph graph = with_activations();
  ASSERT_TRUE(replace_activations(graph, {{"mish", "hard_mish"}}).has_value());
  EXPECT_EQ(kind(graph, 1), Activation::hard_mish);
  EXPECT_EQ(kind(graph, 2), Activation::leaky);
  const Epilogue& epilogue = std::get<ConvAttrs>(graph.nodes[3].attrs).epilogue;
  EXPECT_EQ(epilogue.act.kind, Activation::hard_mish);
  EXPECT_EQ(epilogue.post_act.kind, Activation::mish);
}

TEST(ReplaceActivation, TwoCanBeSwapped) {
  Graph graph = with_activations();
  ASSERT_TRUE(replace_activations(graph, {{"mish", "leaky"}, {"leaky", "mish"}}).has_value());
  EXPECT_EQ(kind(graph, 1), Activation::leaky);
  EXPECT_EQ(kind(graph, 2), Activation::mish);
}

TEST(ReplaceActivation, NamesWhatIsWrong) {
  Graph graph = with_activations();
  EXPECT_THAT(replace_activations(graph, {{"mosh", "mish"}}).error().message,
              testing::StartsWith("replace: 'mosh' is no activation: want one of linear, relu"));
  EXPECT_EQ(replace_activations(graph, {{"silu", "mish"}}).error().message,
            "replace: the model has no activation 'silu'");
}

TEST(ReplaceActivation, EveryNameIsRead) {
  for (int i = 0; i <= static_cast<int>(Activation::tanh); ++i) {
    const auto kind = static_cast<Activation>(i);
    EXPECT_EQ(parse_activation(to_string(kind)), kind);
  }
}

}  // namespace
}  // namespace tessera
