#include "graph/passes/pass_test.h"

namespace tessera::testing {
namespace {

TEST(FuseActivation, IntoConvAddMul) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId conv = graph.add("conv", conv_of(3, 3), {x});
  const ValueId leaky = graph.add("leaky", ActivationAttrs{{Activation::leaky, 0.25f}}, {conv});
  const ValueId add = graph.add("add", AddAttrs{}, {leaky, x});
  const ValueId relu = graph.add("relu", ActivationAttrs{{Activation::relu}}, {add});
  const ValueId mul = graph.add("mul", MulAttrs{}, {relu, x});
  graph.outputs = {graph.add("tanh", ActivationAttrs{{Activation::tanh}}, {mul})};
  EXPECT_EQ(after("fuse-activation", graph, 3),
            "leaky = conv+leaky(x)\nrelu = add+relu(leaky x)\ntanh = mul+tanh(relu x)\n-> tanh");
  EXPECT_EQ(std::get<ConvAttrs>(graph.nodes[1].attrs).epilogue.act, (ActivationSpec{Activation::leaky, 0.25f}));
}

TEST(FuseActivation, IntoBinaryOperators) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId scale = graph.add("scale", ConstantAttrs{constant({1, 2, 3}), {1, 1, 1, 3}}, {});
  const BinaryAttrs attrs{BinaryKind::div, {}, {4, 3}, {3, 1}, {0, 1}, {1, 2, 2, 3}};
  const ValueId divided = graph.add("divided", attrs, {x, scale});
  graph.outputs = {graph.add("relu", ActivationAttrs{{Activation::relu}}, {divided})};
  EXPECT_EQ(after("fuse-activation", graph, 1), "scale = constant_tensor()\nrelu = binary(x scale)\n-> relu");
  EXPECT_EQ(std::get<BinaryAttrs>(graph.nodes.back().attrs).act.kind, Activation::relu);
}

TEST(FuseActivation, AfterAResidual) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  ConvAttrs attrs = conv_of(3, 3);
  attrs.epilogue = {{Activation::mish}, true, {}};
  const ValueId conv = graph.add("conv", attrs, {x, x});
  graph.outputs = {graph.add("relu", ActivationAttrs{{Activation::relu}}, {conv})};
  EXPECT_EQ(after("fuse-activation", graph, 1), "relu = conv+mish+residual+relu(x x)\n-> relu");
}

TEST(FuseActivation, OnlyOnceAndOnlyForTheSoleReader) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  const ValueId conv = graph.add("conv", conv_of(3, 3), {x});
  const ValueId relu = graph.add("relu", ActivationAttrs{{Activation::relu}}, {conv});
  const ValueId twice = graph.add("twice", ActivationAttrs{{Activation::tanh}}, {relu});
  const ValueId shared = graph.add("shared", conv_of(3, 3), {twice});
  const ValueId a = graph.add("a", ActivationAttrs{{Activation::relu}}, {shared});
  const ValueId seen = graph.add("seen", conv_of(3, 3), {a});
  const ValueId b = graph.add("b", ActivationAttrs{{Activation::relu}}, {seen});
  graph.outputs = {graph.add("sum", AddAttrs{}, {shared, b}), seen};
  EXPECT_EQ(after("fuse-activation", graph, 1),
            "relu = conv+relu(x)\ntwice = tanh(relu)\nshared = conv(twice)\na = relu(shared)\nseen = conv(a)\n"
            "b = relu(seen)\nsum = add(shared b)\n-> sum seen");
}

}  // namespace
}  // namespace tessera::testing
