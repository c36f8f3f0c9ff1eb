// Small files that ask for much, or for arithmetic that overflows: refused by name, or done right.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "model/onnx/lower/lower.h"
#include "model/onnx/read/read.h"
#include "onnx_builder.h"

namespace tessera::onnx {
namespace {

using tessera::testing::OnnxBuilder;
using tessera::testing::with;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

Result<Lowered> lowered(const OnnxBuilder& model) {
  const auto graph = read("t.onnx", tessera::testing::bytes_of(model.bytes()), {});
  if (!graph) return graph.error();
  return lower("t.onnx", *graph, graph->outputs, {});
}
std::string refusal(const OnnxBuilder& model) {
  const auto result = lowered(model);
  return result ? "no error" : result.error().message;
}

/// x of these extents into one node of these inputs; its only output is the graph's.
struct OneNode {
  OnnxBuilder model;
  ::onnx::NodeProto& node;
  OneNode(const std::string& op, OnnxBuilder::Extents x, OnnxBuilder::Names more = {}) : node(add(op, x, more)) {}

 private:
  ::onnx::NodeProto& add(const std::string& op, const OnnxBuilder::Extents& x, const OnnxBuilder::Names& more) {
    OnnxBuilder::Names inputs{model.input("x", x)};
    inputs.insert(inputs.end(), more.begin(), more.end());
    model.output("y");
    return model.node(op, inputs, {"y"});
  }
};

TEST(OnnxHostile, FoldingHasABudget) {
  OnnxBuilder model;
  model.integers("shape", {8192, 8000});
  OnnxBuilder::Names made;
  for (const char* name : {"a", "b", "c"}) made.push_back(model.node("ConstantOfShape", {"shape"}, {name}).output(0));
  model.node("Sum", made, {"y"});
  model.output("y");
  EXPECT_THAT(refusal(model), AllOf(HasSubstr("ConstantOfShape 'n_b'"), HasSubstr("than a file of this size may ask")));
}

TEST(OnnxHostile, SoHasFoldedMultiplication) {
  OnnxBuilder model;
  model.integers("shape", {400, 400});
  model.node("ConstantOfShape", {"shape"}, {"v0"});
  for (int i = 0; i < 3; ++i) {
    const std::string from = "v" + std::to_string(i);
    model.node("MatMul", {from, from}, {"v" + std::to_string(i + 1)});
  }
  model.output("v3");
  EXPECT_THAT(refusal(model), AllOf(HasSubstr("MatMul 'n_v2'"), HasSubstr("than a file of this size may ask")));
}

TEST(OnnxHostile, WeightsOfTheFileAreWithinTheBudget) {
  OnnxBuilder model;
  model.reals("w0", {64, 64}, std::vector<float>(64 * 64, 0.5f));
  for (int i = 0; i < 8; ++i) model.node("Transpose", {"w" + std::to_string(i)}, {"w" + std::to_string(i + 1)});
  model.input("x", {2, 64});
  model.node("MatMul", {"x", "w8"}, {"y"});
  model.output("y");
  EXPECT_EQ(refusal(model), "no error");
}

TEST(OnnxHostile, TilesBeyondAnyTensor) {
  OneNode tile("Tile", {1 << 20, 1 << 10}, {"repeats"});
  tile.model.integers("repeats", {std::int64_t{1} << 40, 1});
  EXPECT_THAT(refusal(tile.model), AllOf(HasSubstr("Tile 'n_y'"), HasSubstr("repeated 1099511627776 times")));
}

TEST(OnnxHostile, StepsThatAreNeverTaken) {
  for (const std::int64_t step : {kLast, -kLast}) {
    OneNode slice("Slice", {1, 2, 8, 8}, {"starts", "ends", "axes", "steps"});
    slice.model.integers("starts", {3});
    slice.model.integers("ends", {step > 0 ? kLast : -kLast});
    slice.model.integers("axes", {2});
    slice.model.integers("steps", {step});
    const auto result = lowered(slice.model);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    const Graph& graph = result->graph;
    EXPECT_EQ(extents(graph.value(graph.outputs[0]).spec).h, 1) << step;
    EXPECT_TRUE(verify(graph).has_value()) << step;
  }
}

TEST(OnnxHostile, WindowsWiderThanAnyPicture) {
  OneNode conv("Conv", {1, 1, 8, 8}, {"w"});
  conv.model.reals("w", {1, 1, 3, 3}, std::vector<float>(9, 1.0f));
  with(with(conv.node, "dilations", std::vector<std::int64_t>{65536, 1}), "auto_pad", "SAME_UPPER");
  EXPECT_THAT(refusal(conv.model), AllOf(HasSubstr("Conv 'n_y'"), HasSubstr("a window of 131073 places")));
}

TEST(OnnxHostile, RegionsThatAreNoNumbers) {
  for (const float edge : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    OneNode resize("Resize", {1, 1, 4, 4}, {"roi", "", "sizes"});
    resize.model.reals("roi", {8}, {0, 0, edge, 0, 1, 1, 1, 1});
    resize.model.integers("sizes", {1, 1, 2, 2});
    with(with(resize.node, "mode", "linear"), "coordinate_transformation_mode", "tf_crop_and_resize");
    EXPECT_THAT(refusal(resize.model), HasSubstr("Resize 'n_y': an edge of the region at")) << edge;
  }
}

TEST(OnnxHostile, OperandsThatAreMissingOrTooMany) {
  OneNode one("Add", {2, 2});
  EXPECT_THAT(refusal(one.model), HasSubstr("Add 'n_y': 1 inputs, want 2"));
  OneNode three("Mul", {2, 2}, {"x", "x"});
  EXPECT_THAT(refusal(three.model), HasSubstr("Mul 'n_y': 3 inputs, want 2"));
  OneNode sum("Sum", {2, 2}, {"x", "x"});
  EXPECT_EQ(refusal(sum.model), "no error");
}

TEST(OnnxHostile, OutputsWithoutEnd) {
  OneNode relu("Relu", {1, 1});
  for (int i = 0; i < (1 << 16); ++i) relu.model.output("y");
  EXPECT_THAT(refusal(relu.model), HasSubstr("has 65537 outputs, want at most 65536"));
}

TEST(OnnxHostile, ValuesOfOneNameStayApart) {
  OnnxBuilder model;
  model.input("x", {1, 4, 2, 2});
  model.reals("x~2", {1}, {1.0f});
  for (int i = 0; i < 3; ++i) model.output("x");
  model.node("Add", {"x", "x~2"}, {"y"});
  model.output("y");
  const auto result = lowered(model);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  std::set<std::string> names;
  for (const Value& value : result->graph.values) EXPECT_TRUE(names.insert(value.name).second) << value.name;
}

}  // namespace
}  // namespace tessera::onnx
