#include "model/onnx/read/read.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "onnx_builder.h"

namespace tessera::onnx {
namespace {

using ::testing::AllOf;
using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OnnxBuilder;
using testing::with;
using Proto = ::onnx::TensorProto;

Result<IrGraph> read_built(const OnnxBuilder& model, const std::filesystem::path& folder = {}) {
  return read("t.onnx", bytes_of(model.bytes()), folder);
}
std::string refusal(const OnnxBuilder& model, const std::filesystem::path& folder = {}) {
  const auto graph = read_built(model, folder);
  return graph ? "no error" : graph.error().message;
}

/// y = Relu(x).
OnnxBuilder relu() {
  OnnxBuilder model;
  model.node("Relu", {model.input("x", {1, 3, -1, 8})}, {"y"});
  model.output("y");
  return model;
}

TEST(OnnxRead, NamesBecomeIndices) {
  OnnxBuilder model = relu();
  auto* entry = model.proto.add_metadata_props();
  entry->set_key("stride");
  entry->set_value("32");
  const auto graph = read_built(model);
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  EXPECT_EQ(graph->opset, 13);
  EXPECT_EQ(graph->producer, "test");
  EXPECT_EQ(graph->metadata.at("stride"), "32");
  ASSERT_EQ(graph->inputs.size(), 1u);
  EXPECT_EQ(graph->inputs[0].dims, (Dims{1, 3, -1, 8}));
  EXPECT_THAT(graph->inputs[0].symbols, ElementsAre("", "", "open", ""));
  ASSERT_EQ(graph->nodes.size(), 1u);
  EXPECT_EQ(graph->nodes[0].name, "n_y");
  EXPECT_EQ(graph->value(graph->nodes[0].inputs[0]).name, "x");
  EXPECT_EQ(graph->outputs, graph->nodes[0].outputs);
}

TEST(OnnxRead, NodesAreSortedAndAbsentInputsKept) {
  OnnxBuilder model;
  model.input("x", {1, 4});
  model.node("Clip", {"z", "", "six"}, {"y"});
  model.node("Relu", {"x"}, {"z"});
  model.reals("six", {}, {6});
  model.output("y");
  const auto graph = read_built(model);
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  EXPECT_EQ(graph->nodes[0].op, "Relu");
  EXPECT_EQ(graph->nodes[1].op, "Clip");
  EXPECT_EQ(graph->nodes[1].input(1), kAbsent);
  EXPECT_EQ(graph->nodes[1].input(9), kAbsent);
}

TEST(OnnxRead, AttributesOfEachKind) {
  OnnxBuilder model = relu();
  ::onnx::NodeProto& node = *model.proto.mutable_graph()->mutable_node(0);
  with(with(with(with(node, "i", std::int64_t{-3}), "f", 0.5f), "s", "linear"), "list",
       std::vector<std::int64_t>{1, 2});
  testing::attribute(node, "then", ::onnx::AttributeProto::GRAPH);
  const auto graph = read_built(model);
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  const IrNode& read_node = graph->nodes[0];
  EXPECT_EQ(read_node.int_or("i", 0), -3);
  EXPECT_EQ(read_node.float_or("f", 0), 0.5f);
  EXPECT_EQ(read_node.string_or("s", ""), "linear");
  EXPECT_THAT(*read_node.ints("list"), ElementsAre(1, 2));
  EXPECT_FALSE(read_node.has("then"));
  EXPECT_EQ(read_node.int_or("f", 7), 7) << "of another type";
}

TEST(OnnxRead, OperatorsOfOtherDomainsKeepTheirDomain) {
  OnnxBuilder model = relu();
  model.proto.mutable_graph()->mutable_node(0)->set_domain("com.microsoft");
  EXPECT_EQ(read_built(model)->nodes[0].op, "com.microsoft.Relu");
}

/// The numbers of an initializer of `type` whose payload is `raw`.
std::vector<double> numbers(std::int32_t type, std::string raw, std::int64_t count) {
  OnnxBuilder model = relu();
  model.initializer("w", {count}, type)->set_raw_data(std::move(raw));
  const auto graph = read_built(model);
  EXPECT_TRUE(graph.has_value()) << graph.error().message;
  std::vector<double> out;
  for (std::int64_t i = 0; graph && i < count; ++i) out.push_back(graph->value(0).constant->at(i));
  return out;
}
template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

TEST(OnnxRead, EveryNumericTypeIsWidened) {
  EXPECT_THAT(numbers(Proto::FLOAT, raw<float>({1.5f, -2}), 2), ElementsAre(1.5, -2));
  EXPECT_THAT(numbers(Proto::DOUBLE, raw<double>({0.25, 1e3}), 2), ElementsAre(0.25, 1000));
  // 1.0, the least subnormal, -2, the largest half
  EXPECT_THAT(numbers(Proto::FLOAT16, raw<std::uint16_t>({0x3c00, 1, 0xc000, 0x7bff}), 4),
              ElementsAre(1, 0x1p-24, -2, 65504));
  EXPECT_THAT(numbers(Proto::BFLOAT16, raw<std::uint16_t>({0x3f80, 0xc000}), 2), ElementsAre(1, -2));
  EXPECT_THAT(numbers(Proto::INT8, raw<std::int8_t>({-128, 127}), 2), ElementsAre(-128, 127));
  EXPECT_THAT(numbers(Proto::UINT8, raw<std::uint8_t>({255}), 1), ElementsAre(255));
  EXPECT_THAT(numbers(Proto::INT16, raw<std::int16_t>({-300}), 1), ElementsAre(-300));
  EXPECT_THAT(numbers(Proto::UINT16, raw<std::uint16_t>({65535}), 1), ElementsAre(65535));
  EXPECT_THAT(numbers(Proto::INT32, raw<std::int32_t>({-70000}), 1), ElementsAre(-70000));
  EXPECT_THAT(numbers(Proto::UINT32, raw<std::uint32_t>({4294967295u}), 1), ElementsAre(4294967295.0));
  EXPECT_THAT(numbers(Proto::INT64, raw<std::int64_t>({std::int64_t{1} << 40}), 1), ElementsAre(0x1p40));
  EXPECT_THAT(numbers(Proto::BOOL, raw<std::uint8_t>({0, 7}), 2), ElementsAre(0, 1));
}

TEST(OnnxRead, TypedFieldsHoldTheSame) {
  OnnxBuilder model = relu();
  model.initializer("half", {1}, Proto::FLOAT16)->add_int32_data(0x3c00);
  model.initializer("wide", {1}, Proto::DOUBLE)->add_double_data(0.5);
  model.initializer("byte", {1}, Proto::UINT8)->add_int32_data(200);
  model.initializer("unsigned", {1}, Proto::UINT64)->add_uint64_data(5);
  const auto graph = read_built(model);
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  const double want[] = {1, 0.5, 200, 5};
  for (int id = 0; id < 4; ++id) EXPECT_EQ(graph->value(id).constant->at(0), want[id]) << graph->value(id).name;
}

// Version 3 files list initializers among the inputs.
TEST(OnnxRead, InitializersAmongTheInputsAreNoInputs) {
  OnnxBuilder model = relu();
  model.input("w", {2});
  model.reals("w", {2}, {1, 2});
  EXPECT_EQ(read_built(model)->inputs.size(), 1u);
}

TEST(OnnxRead, OnlyItsOwnBytesAreTaken) {
  EXPECT_TRUE(recognizes(bytes_of(relu().bytes())));
  for (const std::string_view other : {"", "[net]\nwidth=1", "tessera 1\n", "\x08", "\x89PNG\r\n"}) {
    EXPECT_FALSE(recognizes(bytes_of(other))) << other;
  }
}

// ---- the malformed

TEST(OnnxReadMalformed, CutAnywhereItIsRefusedOrWhole) {
  OnnxBuilder model = relu();
  model.reals("w", {3}, {1, 2, 3});
  const std::string whole = model.bytes();
  int refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    refused += !read("t.onnx", bytes_of(std::string_view(whole).substr(0, length)), {}).has_value();
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) * 3 / 4);
}

TEST(OnnxReadMalformed, EveryByteFlippedIsSurvived) {
  OnnxBuilder model = relu();
  model.integers("shape", {1, -1, 4});
  std::string bytes = model.bytes();
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      refused += !read("t.onnx", bytes_of(bytes), {}).has_value();
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(OnnxReadMalformed, NotAModel) {
  EXPECT_THAT(read("t.onnx", bytes_of("\x08\x08 no protobuf at all"), {}).error().message,
              HasSubstr("model 't.onnx': its bytes are no ONNX model"));
  EXPECT_FALSE(read("t.onnx", {}, {}).has_value());
}

TEST(OnnxReadMalformed, OperatorSetsOutsideTheRange) {
  for (const std::int64_t opset : {-1, 0, 6, 22, 1 << 30}) {
    OnnxBuilder model = relu();
    model.proto.mutable_opset_import(0)->set_version(opset);
    EXPECT_THAT(refusal(model), AllOf(HasSubstr("operator set"), HasSubstr("want 7 to 21"))) << opset;
  }
}

TEST(OnnxReadMalformed, CyclesAndNamesThatLeadNowhere) {
  OnnxBuilder cycle;
  cycle.input("x", {1});
  cycle.node("Add", {"x", "b"}, {"a"});
  cycle.node("Relu", {"a"}, {"b"});
  cycle.output("b");
  EXPECT_THAT(refusal(cycle), HasSubstr("waits for itself: the graph has a cycle"));
  OnnxBuilder self;
  self.node("Relu", {"a"}, {"a"});
  self.output("a");
  EXPECT_THAT(refusal(self), HasSubstr("cycle"));
  OnnxBuilder dangling;
  dangling.node("Relu", {"nothing"}, {"y"});
  dangling.output("y");
  EXPECT_THAT(refusal(dangling), HasSubstr("Relu 'n_y' reads 'nothing', which no node makes"));
  OnnxBuilder no_output = relu();
  no_output.output("elsewhere");
  EXPECT_THAT(refusal(no_output), HasSubstr("output 'elsewhere' is made by no node"));
  OnnxBuilder none = relu();
  none.proto.mutable_graph()->clear_output();
  EXPECT_THAT(refusal(none), HasSubstr("no outputs"));
}

TEST(OnnxReadMalformed, OneNameTwoMakers) {
  OnnxBuilder twice = relu();
  twice.node("Relu", {"x"}, {"y"});
  EXPECT_THAT(refusal(twice), HasSubstr("two places make 'y'"));
  OnnxBuilder input = relu();
  input.node("Relu", {"y"}, {"x"});
  EXPECT_THAT(refusal(input), HasSubstr("two places make 'x'"));
  OnnxBuilder initializers = relu();
  initializers.reals("w", {1}, {1});
  initializers.reals("w", {1}, {2});
  EXPECT_THAT(refusal(initializers), HasSubstr("two places make 'w'"));
}

TEST(OnnxReadMalformed, ExtentsThatLie) {
  const auto refused = [](OnnxBuilder::Extents dims) {
    OnnxBuilder model = relu();
    model.initializer("w", dims, Proto::FLOAT)->set_raw_data(std::string(12, '\0'));
    return refusal(model);
  };
  EXPECT_THAT(refused({4}), HasSubstr("its extents say 4 elements, it holds 3"));
  EXPECT_THAT(refused({-3}), HasSubstr("an extent of -3"));
  EXPECT_THAT(refused({std::int64_t{1} << 40, 1 << 30}), HasSubstr("initializer 'w'"));
  EXPECT_THAT(refused({std::int64_t{1} << 62, 4}), HasSubstr("initializer 'w'"));
  EXPECT_THAT(refused({3, 1, 1, 1, 1, 1, 1, 1, 1}), HasSubstr("9 axes, want at most 8"));
  EXPECT_EQ(refused({3}), "no error");
  OnnxBuilder input;
  input.node("Relu", {input.input("x", {1})}, {"y"});
  input.proto.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_value(-5);
  input.output("y");
  EXPECT_THAT(refusal(input), HasSubstr("an extent of -5"));
}

TEST(OnnxReadMalformed, TypesThatAreNoNumbers) {
  OnnxBuilder words = relu();
  words.initializer("w", {1}, Proto::STRING)->add_string_data("x");
  EXPECT_THAT(refusal(words), HasSubstr("element type 8, want numbers or truth values"));
  OnnxBuilder unknown = relu();
  unknown.initializer("w", {1}, 77);
  EXPECT_THAT(refusal(unknown), HasSubstr("element type 77"));
  OnnxBuilder sequence = relu();
  sequence.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_sequence_type();
  EXPECT_THAT(refusal(sequence), HasSubstr("is no tensor"));
}

/// A folder that goes with the test, and a file outside it.
class OnnxExternal : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(::testing::TempDir()) / text("onnx_external_", ::getpid());
    std::filesystem::create_directories(root_ / "model");
    for (const auto& file : {root_ / "model/weights.bin", root_ / "secret.bin"}) {
      std::ofstream(file, std::ios::binary) << raw<float>({1, 2, 3, 4});
    }
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  OnnxBuilder model(const std::string& location, const char* offset = "4", const char* length = "8") {
    OnnxBuilder out = relu();
    Proto* tensor = out.initializer("w", {2}, Proto::FLOAT);
    tensor->set_data_location(Proto::EXTERNAL);
    for (const auto& [key, value] :
         {std::pair<std::string, std::string>{"location", location}, {"offset", offset}, {"length", length}}) {
      auto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    return out;
  }
  std::filesystem::path root_;
};

TEST_F(OnnxExternal, NumbersInAFileBeside) {
  const auto graph = read_built(model("weights.bin"), root_ / "model");
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  EXPECT_THAT(*graph->value(0).constant->reals, ElementsAre(2, 3));
}

TEST_F(OnnxExternal, OnlyInsideTheModelsFolder) {
  std::filesystem::create_symlink(root_ / "secret.bin", root_ / "model/link.bin");
  for (const std::string& location : {std::string("../secret.bin"), (root_ / "secret.bin").string(),
                                      std::string("link.bin"), std::string(""), std::string("a/../../secret.bin")}) {
    EXPECT_THAT(refusal(model(location), root_ / "model"), HasSubstr("not in the model's folder")) << location;
  }
  EXPECT_THAT(refusal(model("weights.bin")), HasSubstr("was not loaded from a folder"));
  EXPECT_THAT(refusal(model("gone.bin"), root_ / "model"), HasSubstr("gone.bin"));
}

TEST_F(OnnxExternal, RangesInsideTheFile) {
  for (const auto& [offset, length] : {std::pair{"12", "8"}, {"99", "8"}, {"0", "99"}, {"9223372036854775807", "8"}}) {
    EXPECT_THAT(refusal(model("weights.bin", offset, length), root_ / "model"), HasSubstr("wants bytes"))
        << offset << ' ' << length;
  }
  EXPECT_THAT(refusal(model("weights.bin", "-4"), root_ / "model"), HasSubstr("has offset '-4'"));
  EXPECT_THAT(refusal(model("weights.bin", "x"), root_ / "model"), HasSubstr("has offset 'x'"));
  EXPECT_THAT(refusal(model("weights.bin", "0", "4"), root_ / "model"), HasSubstr("say 2 elements, it holds 1"));
}

}  // namespace
}  // namespace tessera::onnx
