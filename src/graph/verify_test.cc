#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/graph.h"
#include "graph/ops/ops.h"
#include "graph/random_graph.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::HasSubstr;

Graph relu_graph() {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 3});
  graph.outputs = {graph.add("y", ActivationAttrs{{Activation::relu}}, {x})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}
std::string refusal(const Graph& graph) {
  const auto status = verify(graph);
  return status.has_value() ? "" : status.error().message;
}

TEST(Verify, InferredGraphsPass) {
  const Graph graph = relu_graph();
  EXPECT_EQ(refusal(graph), "");
  EXPECT_EQ(graph.value(1).name, "y");
  EXPECT_EQ(graph.value(1).spec.shape, (Shape{1, 2, 2, 3}));
  EXPECT_EQ(graph.producer(1).name, "y");
}

TEST(Verify, EdgesMustPointBackwards) {
  Graph graph = relu_graph();
  graph.nodes[1].inputs = {7};
  EXPECT_EQ(refusal(graph), "node 1 ('y') reads value 7, there is none");
  graph.nodes[1].inputs = {-1};
  EXPECT_EQ(refusal(graph), "node 1 ('y') reads value -1, there is none");
  graph.nodes[1].inputs = {1};
  EXPECT_EQ(refusal(graph), "node 1 ('y') reads 'y', which no earlier node computes");
}

TEST(Verify, NodesAndValuesMustAgree) {
  Graph graph = relu_graph();
  graph.nodes[1].output = 9;
  EXPECT_EQ(refusal(graph), "node 1 ('y') writes value 9, there is none");
  graph = relu_graph();
  graph.nodes[1].output = 0;
  EXPECT_EQ(refusal(graph), "node 1 ('y') writes 'x', whose producer is node 0");
  graph = relu_graph();
  graph.values.push_back({"stray", {}, 1});
  EXPECT_EQ(refusal(graph), "value 'stray' names node 1 as producer, which does not write it");
  graph.values.back().producer = 5;
  EXPECT_EQ(refusal(graph), "value 'stray' names node 5 as producer, which does not write it");
}

TEST(Verify, NamesAreUnique) {
  Graph graph = relu_graph();
  graph.nodes[1].name = "x";
  EXPECT_EQ(refusal(graph), "node 1 ('x') has the name of an earlier node; names must be unique");
  graph.nodes[1].name = "";
  EXPECT_EQ(refusal(graph), "node 1 has no name");
}

TEST(Verify, EndsOfTheGraph) {
  Graph graph = relu_graph();
  graph.outputs = {};
  EXPECT_EQ(refusal(graph), "the graph has no outputs, want at least one");
  graph.outputs = {4};
  EXPECT_EQ(refusal(graph), "graph output 4 is not computed by any node");
  graph = relu_graph();
  graph.inputs = {};
  EXPECT_EQ(refusal(graph), "input 'x': its value must stand once among the graph's inputs");
  graph.inputs = {0, 1};
  EXPECT_EQ(refusal(graph), "graph input 1 is not the value of an input node");
}

TEST(Verify, InputShapes) {
  Graph graph = relu_graph();
  graph.value(0).spec.shape = {2, 2};
  EXPECT_EQ(refusal(graph), "input 'x': has shape 2x2, want four extents, NHWC");
  for (const Shape& shape :
       {Shape{1, 0, 2, 2}, Shape{1, -4, 2, 2}, Shape{1, 1 << 25, 1, 1}, Shape{1, 1 << 20, 1 << 20, 1}}) {
    graph.value(0).spec.shape = shape;
    const auto status = infer_shapes(graph);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, Code::limit_exceeded);
    EXPECT_EQ(status.error().message, "input 'x': has shape " + to_string(shape) +
                                          ", want extents between 1 and 16777216 and at most 2147483648 elements");
  }
}

TEST(Verify, SpecsMustBeWhatTheOperatorsGive) {
  Graph graph = relu_graph();
  graph.value(1).spec.shape[3] = 4;
  EXPECT_EQ(refusal(graph), "activation 'y': its value is said to be 1x2x2x4, the operator gives 1x2x2x3");
  graph = relu_graph();
  graph.value(1).spec.dtype = DType::Int8;
  EXPECT_EQ(refusal(graph), "activation 'y': gives 1x2x2x3 s8, want four extents (NHWC) of f32 without gaps");
}

Graph bytes_graph() {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 2}, DType::UInt8);
  const ValueId y = graph.add("y", FromBytesAttrs{{1, 2}, {0, -1}}, {x});
  graph.outputs = {graph.add("z", ActivationAttrs{{Activation::relu}}, {y})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

TEST(Verify, BytesAreReadByFromBytesAlone) {
  EXPECT_EQ(refusal(bytes_graph()), "");
  Graph graph = bytes_graph();
  graph.nodes[2].inputs = {0};
  EXPECT_EQ(refusal(graph), "activation 'z': reads 'x' of u8, which only from_bytes can");
  graph = bytes_graph();
  graph.outputs = {0};
  EXPECT_EQ(refusal(graph), "graph output 'x' is of u8, want f32");
  graph = bytes_graph();
  graph.value(0).spec.dtype = DType::Float32;
  EXPECT_EQ(refusal(graph), "from_bytes 'y': reads 'x' of f32, want an input of u8");
  graph.value(0).spec.dtype = DType::Int8;
  EXPECT_EQ(refusal(graph), "input 'x': gives s8, want f32 or u8");
  graph = bytes_graph();
  graph.value(1).spec.dtype = DType::UInt8;
  EXPECT_EQ(refusal(graph), "from_bytes 'y': gives 1x2x2x2 u8, want four extents (NHWC) of f32 without gaps");
}

TEST(Verify, FromBytesHasANumberPerChannel) {
  Graph graph = bytes_graph();
  auto& attrs = std::get<FromBytesAttrs>(graph.nodes[1].attrs);
  attrs.scale = {1};
  EXPECT_EQ(refusal(graph), "from_bytes 'y': scale has 1 numbers, the input has 2 channels");
  attrs.scale = {1, 2};
  attrs.shift = {0, INFINITY};
  EXPECT_EQ(refusal(graph), "from_bytes 'y': shift is inf, want a finite number");
}

TEST(Verify, WholeGraphsAreLimited) {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 1, 1, 1 << 20});
  for (int i = 0; i < 16; ++i) x = graph.add("y" + std::to_string(i), IdentityAttrs{}, {x});
  graph.outputs = {x};
  const auto status = infer_shapes(graph);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message, "the graph's values have more than 16777216 channels in all, reached at 'y15'");
}

TEST(Verify, NodesAreCounted) {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 1, 1, 1});
  for (int i = 0; i < kMaxNodes; ++i) x = graph.add("y" + std::to_string(i), IdentityAttrs{}, {x});
  graph.outputs = {x};
  EXPECT_EQ(infer_shapes(graph).error().message, "the graph has 65537 nodes, at most 65536");
}

TEST(Verify, RandomGraphsPass) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Graph graph = testing::RandomGraph(seed).make(20);
    EXPECT_EQ(refusal(graph), "") << "seed " << seed;
  }
}

TEST(Activations, HaveNames) {
  EXPECT_STREQ(to_string(Activation::hard_mish), "hard_mish");
  EXPECT_STREQ(to_string(Activation::tanh), "tanh");
}

}  // namespace
}  // namespace tessera
