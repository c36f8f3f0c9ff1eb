#include "graph/take_bytes.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

const FromBytesAttrs kPixels{{0.5f, 0.25f, 2}, {0, -1, 1}};

/// The picture is read twice and comes second: nodes before, between and after it.
Graph picture_graph(std::int64_t channels = 3) {
  Graph graph;
  const Constant one = std::make_shared<const std::vector<float>>(1, 1.0f);
  const ValueId number = graph.add("number", ConstantAttrs{one, {1, 1, 1, 1}}, {});
  const ValueId x = graph.add_input("x", {2, 4, 4, channels});
  const ValueId y = graph.add("x.f32", ActivationAttrs{{Activation::relu}}, {x});
  graph.outputs = {graph.add("sum", AddAttrs{}, {y, x}), number};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

TEST(TakeBytes, PutsNumbersBetweenTheInputAndItsReaders) {
  Graph graph = picture_graph();
  const auto taken = take_bytes(graph, kPixels);
  ASSERT_TRUE(taken.has_value()) << taken.error().message;
  EXPECT_TRUE(verify(graph).has_value());
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(node.name);
  EXPECT_EQ(names, (std::vector<std::string>{"number", "x", "x.f32_", "x.f32", "sum"})) << "the name was taken";
  EXPECT_EQ(graph.value(graph.inputs[0]).spec, (TensorSpec{.shape = {2, 4, 4, 3}, .dtype = DType::UInt8}));
  const Node& numbers = graph.nodes[2];
  EXPECT_EQ(std::get<FromBytesAttrs>(numbers.attrs).scale, kPixels.scale);
  EXPECT_EQ(std::get<FromBytesAttrs>(numbers.attrs).shift, kPixels.shift);
  EXPECT_EQ(numbers.inputs, graph.inputs);
  EXPECT_EQ(graph.nodes[3].inputs, std::vector<ValueId>{numbers.output});
  EXPECT_EQ(graph.nodes[4].inputs, (std::vector<ValueId>{graph.nodes[3].output, numbers.output}));
}

TEST(TakeBytes, APictureThatIsAnOutputStaysOneOfNumbers) {
  Graph graph = picture_graph();
  graph.outputs.push_back(graph.inputs[0]);
  ASSERT_TRUE(take_bytes(graph, kPixels).has_value());
  EXPECT_EQ(graph.producer(graph.outputs.back()).name, "x.f32_");
  EXPECT_TRUE(verify(graph).has_value());
}

TEST(TakeBytes, NamesWhatIsWrong) {
  const auto refusal = [](Graph graph, const FromBytesAttrs& pixels = kPixels) {
    const auto status = take_bytes(graph, pixels);
    return status.has_value() ? "" : status.error().message;
  };
  EXPECT_EQ(refusal(picture_graph(2)), "bytes: input 'x' has 2 channels, want 3, at most 4");
  EXPECT_EQ(refusal(picture_graph(5), {std::vector<float>(5, 1.0f), std::vector<float>(5, 0.0f)}),
            "bytes: input 'x' has 5 channels, want 5, at most 4");
  EXPECT_EQ(refusal(picture_graph(), {{1, 1, 1}, {0}}),
            "from_bytes 'x.f32_': shift has 1 numbers, the input has 3 channels");
  Graph two = picture_graph();
  two.add_input("other", {1, 1, 1, 1});
  EXPECT_EQ(refusal(two), "bytes: the graph has 2 inputs, want one, the picture");
  Graph twice = picture_graph();
  ASSERT_TRUE(take_bytes(twice, kPixels).has_value());
  EXPECT_EQ(refusal(twice), "bytes: input 'x' is of u8 already");
}

}  // namespace
}  // namespace tessera
