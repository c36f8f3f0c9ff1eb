// What each operator gives for which inputs, and every message it can refuse with.

#include "graph/ops/ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "graph/random_graph.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::HasSubstr;

Constant ones(std::size_t n) { return constant(std::vector<float>(n, 1.0f)); }

Result<Extents> infer(Attrs attrs, const std::vector<Extents>& inputs) {
  return infer_node({"n", std::move(attrs), {}, 0}, inputs);
}
std::string given(Attrs attrs, const std::vector<Extents>& inputs) {
  const auto out = infer(std::move(attrs), inputs);
  return out ? to_string(*out) : out.error().message;
}

TEST(Ops, EveryOperatorHasItsEntry) {
  EXPECT_EQ(ops().size(), std::variant_size_v<Attrs>);
  EXPECT_STREQ(op_name(ConvAttrs{}), "conv");
  EXPECT_STREQ(op_name(InputAttrs{}), "input");
  EXPECT_STREQ(op_name(GlobalAveragePoolAttrs{}), "global_average_pool");
}

// A file beside ops.cc whose operator nobody listed would be dead code. same.cc serves identity and softmax,
// strided.cc all that walk linear indices.
TEST(Ops, EveryFileIsListed) {
  std::set<std::string> names{"ops", "same", "strided"};
  for (const OpInfo& op : ops()) names.insert(op.name);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/src/graph/ops")) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".cc" || stem.ends_with("_test")) continue;
    EXPECT_TRUE(names.contains(stem)) << stem << ".cc has no entry in ops.cc";
    ++files;
  }
  EXPECT_GT(files, 10);
}

TEST(Ops, ElementwiseKeepTheShape) {
  EXPECT_EQ(given(ActivationAttrs{{Activation::mish}}, {{1, 2, 3, 4}}), "1x2x3x4");
  EXPECT_EQ(given(IdentityAttrs{}, {{1, 2, 3, 4}}), "1x2x3x4");
  EXPECT_EQ(given(SoftmaxAttrs{}, {{1, 2, 3, 4}}), "1x2x3x4");
  EXPECT_EQ(given(AddAttrs{}, {{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}}), "1x2x3x4");
  EXPECT_EQ(given(BatchNormAttrs{ones(4), ones(4), ones(4), ones(4)}, {{1, 2, 3, 4}}), "1x2x3x4");
}

TEST(Ops, MulBroadcastsPerChannelAndPerPixel) {
  EXPECT_EQ(given(MulAttrs{}, {{2, 3, 3, 4}, {2, 3, 3, 4}}), "2x3x3x4");
  EXPECT_EQ(given(MulAttrs{}, {{2, 3, 3, 4}, {2, 1, 1, 4}}), "2x3x3x4");
  EXPECT_EQ(given(MulAttrs{}, {{2, 3, 3, 4}, {2, 3, 3, 1}}), "2x3x3x4");
  for (const Extents& b : {Extents{2, 1, 1, 1}, Extents{1, 3, 3, 4}, Extents{2, 3, 1, 4}, Extents{2, 3, 3, 2}}) {
    EXPECT_EQ(given(MulAttrs{}, {{2, 3, 3, 4}, b}),
              "mul 'n': multiplies 2x3x3x4 by " + to_string(b) +
                  ", want the same shape, one factor per channel or one per pixel");
  }
}

TEST(Ops, ChannelsAreJoinedAndCut) {
  EXPECT_EQ(given(ConcatAttrs{}, {{1, 2, 3, 4}, {1, 2, 3, 5}}), "1x2x3x9");
  EXPECT_EQ(given(ConcatAttrs{}, {{1, 2, 3, 4}, {1, 2, 4, 5}}),
            "concat 'n': joins the channels of 1x2x3x4 and 1x2x4x5, want the same height and width");
  EXPECT_EQ(given(SliceAttrs{1, 3}, {{1, 2, 3, 4}}), "1x2x3x3");
  EXPECT_EQ(given(SliceAttrs{2, 3}, {{1, 2, 3, 4}}), "slice 'n': takes 3 channels from 2, the input has 4");
  EXPECT_EQ(given(SliceAttrs{-1, 1}, {{1, 2, 3, 4}}), "slice 'n': takes 1 channels from -1, the input has 4");
  EXPECT_EQ(given(SliceAttrs{1, INT64_MAX}, {{1, 2, 3, 4}}),
            "slice 'n': takes 9223372036854775807 channels from 1, the input has 4");
}

TEST(Ops, ConvShapes) {
  EXPECT_EQ(given(ConvAttrs{.oc = 5, .kh = 3, .kw = 3, .sh = 2, .sw = 2, .pad = {1, 1, 1, 1}, .weights = ones(5 * 27)},
                  {{1, 7, 8, 3}}),
            "1x4x4x5");
  EXPECT_EQ(
      given(ConvAttrs{.oc = 4, .kh = 3, .kw = 1, .dh = 2, .groups = 2, .weights = ones(4 * 3 * 3)}, {{1, 7, 8, 6}}),
      "1x3x8x4");
  Epilogue add{.residual = true};
  EXPECT_EQ(given(ConvAttrs{.oc = 2, .weights = ones(2), .epilogue = add}, {{1, 7, 8, 1}, {1, 7, 8, 2}}), "1x7x8x2");
}

TEST(Ops, ConvRefusals) {
  const std::vector<Extents> in{{1, 4, 4, 3}};
  EXPECT_EQ(given(ConvAttrs{.oc = 2, .weights = ones(5)}, in),
            "conv 'n': has 5 weights, want 2 x 3 x 1 x 1 (the input has 3 channels, there are 1 groups)");
  EXPECT_THAT(given(ConvAttrs{.oc = 2}, in), HasSubstr("has 0 weights"));
  EXPECT_EQ(given(ConvAttrs{.oc = 2, .weights = ones(6), .bias = ones(3)}, in),
            "conv 'n': has 3 biases, want one for each of 2 output channels");
  EXPECT_EQ(given(ConvAttrs{.oc = 2, .groups = 2, .weights = ones(3)}, in),
            "conv 'n': 2 groups do not divide 3 input and 2 output channels");
  EXPECT_EQ(given(ConvAttrs{}, in), "conv 'n': 0 output channels in 1 groups, want at least 1 of each");
  EXPECT_EQ(given(ConvAttrs{.oc = 1, .kh = 5}, in),
            "conv 'n': height: the padded input is 4 long, the window is 5; want a larger input or more padding");
  EXPECT_EQ(
      given(ConvAttrs{.oc = 1, .kw = 1, .sw = 0}, in),
      "conv 'n': width: kernel 1, stride 0, dilation 1, padding 0+0, want padding of at least 0 and the others at "
      "least 1");
  EXPECT_THAT(given(ConvAttrs{.oc = 1, .pad = {0, -1, 0, 0}}, in), HasSubstr("width: kernel 1"));
  EXPECT_THAT(given(ConvAttrs{.oc = 1, .kh = INT32_MAX, .dh = INT32_MAX}, in), HasSubstr("the window is 4611686"));
}

TEST(Ops, ConvEpilogueRefusals) {
  const Extents in{1, 4, 4, 3};
  const ConvAttrs conv{.oc = 1, .weights = ones(3)};
  EXPECT_EQ(given(conv, {in, in}), "conv 'n': has 2 inputs, want 1 (nothing is added)");
  ConvAttrs adds = conv;
  adds.epilogue.residual = true;
  EXPECT_EQ(given(adds, {in}), "conv 'n': has 1 inputs, want 2 (the second is added)");
  EXPECT_EQ(given(adds, {in, in}), "conv 'n': adds 1x4x4x3 to its output 1x4x4x1, want the same shape");
  ConvAttrs post = conv;
  post.epilogue.post_act.kind = Activation::relu;
  EXPECT_EQ(given(post, {in}), "conv 'n': has an activation after an addition, but adds nothing");
}

TEST(Ops, PoolsKeepEveryWindowOnTheImage) {
  const auto pool = [](int k, int s, Padding pad) { return PoolAttrs{PoolAttrs::Kind::max, k, k, s, s, pad}; };
  EXPECT_EQ(given(pool(2, 2, {}), {{1, 5, 6, 3}}), "1x2x3x3");
  EXPECT_EQ(given(pool(5, 1, {2, 2, 2, 2}), {{1, 5, 6, 3}}), "1x5x6x3");
  EXPECT_EQ(given(pool(2, 2, {0, 0, 1, 1}), {{1, 5, 5, 3}}), "1x3x3x3");
  EXPECT_EQ(given(pool(2, 1, {2, 0, 0, 0}), {{1, 5, 5, 3}}),
            "pool 'n': height: a window of 2 lies wholly on the padding 2+0, want less padding");
  EXPECT_EQ(given(pool(2, 1, {0, 0, 0, 2}), {{1, 5, 5, 3}}),
            "pool 'n': width: a window of 2 lies wholly on the padding 0+2, want less padding");
  EXPECT_EQ(given(GlobalAveragePoolAttrs{}, {{2, 5, 6, 3}}), "2x1x1x3");
}

TEST(Ops, UpsampleMultiplies) {
  EXPECT_EQ(given(UpsampleAttrs{2, 3}, {{1, 5, 6, 3}}), "1x10x18x3");
  EXPECT_EQ(given(UpsampleAttrs{0, 3}, {{1, 5, 6, 3}}), "upsample 'n': the factors are 0 and 3, want at least 1");
}

TEST(Ops, BatchNormWantsOneConstantPerChannelAndARoot) {
  EXPECT_EQ(given(BatchNormAttrs{ones(4), ones(3), ones(4), ones(4)}, {{1, 1, 1, 4}}),
            "batch_norm 'n': beta has 3 values, the input has 4 channels");
  EXPECT_EQ(given(BatchNormAttrs{ones(1), ones(1), ones(1), constant({-2})}, {{1, 1, 1, 1}}),
            "batch_norm 'n': channel 0: variance -2 plus epsilon 1e-06 is not above 0, so there is no square root to "
            "divide by");
  EXPECT_THAT(given(BatchNormAttrs{ones(1), ones(1), ones(1), constant({NAN})}, {{1, 1, 1, 1}}), HasSubstr("nan"));
}

TEST(Ops, InputCountsAndSlopesAreChecked) {
  const Extents e{1, 2, 3, 4};
  EXPECT_EQ(given(AddAttrs{}, {e}), "add 'n': has 1 inputs, want 2 or more");
  EXPECT_EQ(given(AddAttrs{}, {e, {1, 2, 3, 5}}), "add 'n': adds 1x2x3x4 and 1x2x3x5, want one shape");
  EXPECT_EQ(given(MulAttrs{}, {e}), "mul 'n': has 1 inputs, want 2");
  EXPECT_EQ(given(ConvAttrs{}, {}), "conv 'n': has 0 inputs, want 1 or 2");
  EXPECT_EQ(given(ActivationAttrs{{Activation::leaky, INFINITY}}, {e}),
            "activation 'n': the slope alpha is inf, want a finite number");
}

TEST(Ops, SizesAreLimited) {
  const auto wide = infer(UpsampleAttrs{INT32_MAX, 1}, {{1, 2, 3, 4}});
  ASSERT_FALSE(wide.has_value());
  EXPECT_EQ(wide.error().code, Code::limit_exceeded);
  EXPECT_EQ(wide.error().message,
            "upsample 'n': its output would be 1x4294967294x3x4, want extents between 1 and 16777216");
  const auto many = infer(UpsampleAttrs{1 << 20, 1 << 20}, {{1, 2, 3, 4}});
  ASSERT_FALSE(many.has_value());
  EXPECT_EQ(many.error().message,
            "upsample 'n': its output would be 1x2097152x3145728x4, want at most 2147483648 elements");
}

TEST(Ops, CostsOfAConvolution) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 8, 8, 6});
  const ValueId y = graph.add(
      "y", ConvAttrs{.oc = 4, .kh = 3, .kw = 3, .groups = 2, .weights = ones(4 * 3 * 9), .bias = ones(4)}, {x});
  graph.outputs = {graph.add("z", BatchNormAttrs{ones(4), ones(4), ones(4), ones(4)}, {y})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  EXPECT_EQ(macs(graph, graph.producer(y)), 6 * 6 * 4 * 27);
  EXPECT_EQ(parameters(graph.producer(y)), 4 * 27 + 4);
  EXPECT_EQ(macs(graph, graph.nodes[2]), 0);
  EXPECT_EQ(parameters(graph.nodes[2]), 16);
  EXPECT_EQ(parameters(graph.nodes[0]), 0);
}

}  // namespace
}  // namespace tessera
