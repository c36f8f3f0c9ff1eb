#include "device/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "device/device_test.h"
#include "tensor/npy.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::small_graph;

const AxisOrders kNoOrders;

std::shared_ptr<const Executable> prepared(const Graph& graph, std::vector<std::string> disabled = {}) {
  auto exec = Executable::prepare(graph, {.device = "reference", .disabled = std::move(disabled)});
  EXPECT_TRUE(exec.has_value()) << exec.error().message;
  return *exec;
}

// As small_graph, with another weight and so other numbers from 'relu' on.
Graph other_graph(float weight) {
  Graph graph = small_graph();
  std::get<ConvAttrs>(graph.nodes[1].attrs).weights = constant({weight});
  return graph;
}

const std::vector<float> kInputs[] = {{3, -4}};

class Compare : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("compare_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  ThreadPool pool_{1};
  std::filesystem::path folder_;
};

TEST_F(Compare, ARunEqualsItself) {
  const auto out = compare_executables(prepared(small_graph()), prepared(small_graph()), kInputs, pool_, {0, 0});
  ASSERT_TRUE(out.has_value());
  ASSERT_EQ(out->layers.size(), 2u);
  EXPECT_EQ(out->layers[0].value, "relu");
  EXPECT_EQ(out->layers[0].impl_a, "conv_reference");
  EXPECT_EQ(out->layers[1].value, "both");
  EXPECT_EQ(out->layers[1].worst_absolute, 0);
  EXPECT_FALSE(out->first_outside.has_value());
}

TEST_F(Compare, FusionsHideValuesButNotNames) {
  const auto out = compare_executables(prepared(small_graph()), prepared(small_graph(), {"fuse-activation"}), kInputs,
                                       pool_, {0, 0});
  ASSERT_TRUE(out.has_value());
  EXPECT_TRUE(out->only_a.empty());
  EXPECT_THAT(out->only_b, ElementsAre("conv"));
  EXPECT_EQ(out->layers.size(), 2u);
  EXPECT_FALSE(out->first_outside.has_value());
}

TEST_F(Compare, TellsWhereTheyPart) {
  const auto plain = prepared(small_graph(), {"fuse-activation"}),
             other = prepared(other_graph(4), {"fuse-activation"});
  const auto out = compare_executables(plain, other, kInputs, pool_, {0, 6.5});
  ASSERT_TRUE(out.has_value());
  // conv: 2x+1 = 7, -7 against 4x+1 = 13, -15: off by 6 and 8.
  EXPECT_EQ(out->first_outside, 0u);
  const LayerDifference& conv = out->layers[0];
  EXPECT_EQ(conv.value, "conv");
  EXPECT_EQ(conv.worst_absolute, 8);
  EXPECT_EQ(conv.worst_relative, 8.0 / 15);
  EXPECT_THAT(conv.at, ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(conv.a, -7);
  EXPECT_EQ(conv.b, -15);
  EXPECT_FALSE(conv.within);
  EXPECT_EQ(out->layers[1].worst_absolute, 6);  // relu: 7, 0 against 13, 0
  EXPECT_TRUE(out->layers[1].within);
  EXPECT_FALSE(compare_executables(plain, other, kInputs, pool_, {8.0 / 15, 0})->first_outside.has_value());
}

TEST_F(Compare, NotANumberIsFarFromNumbers) {
  const auto out =
      compare_executables(prepared(other_graph(NAN)), prepared(small_graph()), kInputs, pool_, {1e30, 1e30});
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->first_outside, 0u);
  EXPECT_EQ(out->layers[0].worst_absolute, INFINITY);
  const auto same = compare_executables(prepared(other_graph(NAN)), prepared(other_graph(NAN)), kInputs, pool_, {0, 0});
  EXPECT_FALSE(same->first_outside.has_value());
}

TEST_F(Compare, InputsMustFit) {
  const auto exec = prepared(small_graph());
  const std::vector<float> two[] = {{1, 2}, {1, 2}}, longer[] = {{1, 2, 3}};
  EXPECT_EQ(compare_executables(exec, exec, two, pool_, {}).error().message, "2 inputs, the graph wants 1");
  EXPECT_EQ(compare_executables(exec, exec, longer, pool_, {}).error().message,
            "input 'x': 3 numbers, want 1x1x2x1 = 2");
}

TEST_F(Compare, ByteInputsTakeBytes) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1, 2, 1}, DType::UInt8);
  graph.outputs = {graph.add("y", FromBytesAttrs{{0.5f}, {1}}, {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  const auto exec = prepared(graph), plain = prepared(graph, {"chains"});
  const std::vector<float> bytes[] = {{0, 255}};
  const auto out = compare_executables(exec, plain, bytes, pool_, {0, 0});
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_FALSE(out->first_outside.has_value());
  for (const auto& [bad, said] :
       {std::pair(0.5f, "0.5"), std::pair(256.0f, "256"), std::pair(-1.0f, "-1"), std::pair(NAN, "nan")}) {
    const std::vector<float> wrong[] = {{0, bad}};
    EXPECT_EQ(compare_executables(exec, plain, wrong, pool_, {}).error().message,
              std::string("input 'x': number 1 is ") + said + ", want whole ones from 0 to 255: it takes bytes");
  }
}

TEST_F(Compare, OtherModelsAreRefused) {
  Graph other;
  const ValueId x = other.add_input("x", {1, 1, 2, 1});
  other.outputs = {other.add("y", SoftmaxAttrs{}, {x})};
  ASSERT_TRUE(infer_shapes(other).has_value());
  EXPECT_EQ(compare_executables(prepared(small_graph()), prepared(other), kInputs, pool_, {}).error().message,
            "no value has the same name in both runs; want two runs of one model");
  Graph reshaped;
  const ValueId z = reshaped.add_input("x", {1, 1, 1, 2});
  reshaped.outputs = {reshaped.add("both", SoftmaxAttrs{}, {z})};
  ASSERT_TRUE(infer_shapes(reshaped).has_value());
  EXPECT_EQ(compare_executables(prepared(small_graph()), prepared(reshaped), kInputs, pool_, {}).error().message,
            "value 'both': 1x1x2x2 in the first model, 1x1x1x2 in the second; want two runs of one model");
}

TEST_F(Compare, DumpsOfOurOwnAgree) {
  const auto exec = prepared(small_graph(), {"fuse-activation"});
  ASSERT_TRUE(write_dumps(exec, kInputs, folder_, pool_).has_value());
  const auto out = compare_with_dumps(exec, kInputs, {folder_, FileLayout::nhwc, &kNoOrders}, pool_, {0, 0});
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_EQ(out->layers.size(), 3u);
  EXPECT_FALSE(out->first_outside.has_value());
  EXPECT_FALSE(write_dumps(exec, kInputs, folder_ / "missing", pool_).has_value());
}

TEST_F(Compare, DumpsMayBeChannelsFirstAndWithoutBatch) {
  // 'both' is 7, 3 for the first pixel and 0, -4 for the second.
  const std::vector<float> planes{7, 0, 3, -4};
  for (const Shape& shape : {Shape{1, 2, 1, 2}, Shape{2, 1, 2}}) {
    ASSERT_TRUE(write_npy(folder_ / "both.npy", shape, planes).has_value());
    const auto out =
        compare_with_dumps(prepared(small_graph()), kInputs, {folder_, FileLayout::nchw, &kNoOrders}, pool_, {0, 0});
    ASSERT_TRUE(out.has_value()) << out.error().message;
    EXPECT_EQ(out->layers.size(), 1u);
    EXPECT_THAT(out->only_a, ElementsAre("relu"));
    EXPECT_FALSE(out->first_outside.has_value());
  }
}

TEST_F(Compare, DumpsThatDoNotFitAreRefused) {
  const auto exec = prepared(small_graph());
  const auto refusal = [&] {
    const auto out = compare_with_dumps(exec, kInputs, {folder_, FileLayout::nchw, &kNoOrders}, pool_, {});
    return out ? "" : out.error().message;
  };
  EXPECT_EQ(refusal(),
            "folder " + folder_.string() + ": no dump has the name of a value of the graph, 'relu.npy' for instance");
  ASSERT_TRUE(write_npy(folder_ / "both.npy", {1, 1, 2, 2}, std::vector<float>(4)).has_value());
  EXPECT_EQ(refusal(),
            "dump " + (folder_ / "both.npy").string() + ": has shape 1x1x2x2, value 'both' wants 1x2x1x2 (NCHW)");
  std::ofstream(folder_ / "both.npy") << "no array";
  EXPECT_THAT(refusal(), HasSubstr("both.npy"));
}

TEST_F(Compare, DumpNamesStayInTheirFolder) {
  EXPECT_EQ(dump_file_name("model.0/conv:1"), "model.0_conv_1.npy");
  EXPECT_EQ(dump_file_name("../../etc/x"), ".._.._etc_x.npy");
}

}  // namespace
}  // namespace tessera
