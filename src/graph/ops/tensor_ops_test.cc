// What the general tensor operators give for which inputs, and every message they can refuse with; hostile numbers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/ops/ops.h"
#include "graph/random_graph.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::HasSubstr;

std::string given(Attrs attrs, const std::vector<Extents>& inputs) {
  const auto out = infer_node({"n", std::move(attrs), {}, 0}, inputs);
  return out ? to_string(*out) : out.error().message;
}

constexpr std::int64_t kHuge = INT64_MAX;
const Extents kIn{1, 2, 3, 4};  // 24 elements
const Shape4 kSame{1, 2, 3, 4};

TEST(TensorOps, Constants) {
  EXPECT_EQ(given(ConstantAttrs{constant({1, 2, 3, 4}), {1, 2, 1, 2}}, {}), "1x2x1x2");
  EXPECT_EQ(given(ConstantAttrs{constant({1, 2, 3}), {1, 2, 1, 2}}, {}),
            "constant_tensor 'n': has 3 numbers, its shape 1x2x1x2 wants 4");
  EXPECT_THAT(given(ConstantAttrs{nullptr, {1, 1, 1, 1}}, {}), HasSubstr("has 0 numbers"));
  EXPECT_EQ(given(ConstantAttrs{constant({1}), {1, 0, 1, 2}}, {}),
            "constant_tensor 'n': the shape is stated as 1x0x1x2, want extents between 1 and 16777216 and at most "
            "2147483648 elements");
  EXPECT_THAT(given(ConstantAttrs{constant({1}), {1 << 24, 1 << 24, 1 << 24, 1 << 24}}, {}), HasSubstr("at most 2147"));
  EXPECT_THAT(given(ConstantAttrs{constant({1}), {kHuge, kHuge, 1, 1}}, {}), HasSubstr("the shape is stated"));
}

TEST(TensorOps, Reshapes) {
  EXPECT_EQ(given(ReshapeAttrs{{1, 1, 6, 4}}, {kIn}), "1x1x6x4");
  EXPECT_EQ(given(ReshapeAttrs{{1, 1, 5, 4}}, {kIn}),
            "reshape 'n': sees 1x2x3x4 as 1x1x5x4, want the same number of elements");
}

TEST(TensorOps, AddressesLieInside) {
  EXPECT_EQ(given(RearrangeAttrs{{6, 4}, {-4, 1}, 20, kSame}, {kIn}), "1x2x3x4");
  EXPECT_EQ(given(RearrangeAttrs{{6, 4}, {-4, 1}, 19, kSame}, {kIn}),
            "rearrange 'n': the input would be read from element -1 to 22, it has 24 elements");
  EXPECT_EQ(given(RearrangeAttrs{{6, 4}, {4, 1}, 1, kSame}, {kIn}),
            "rearrange 'n': the input would be read from element 1 to 24, it has 24 elements");
  EXPECT_THAT(given(RearrangeAttrs{{24}, {1}, kHuge, kSame}, {kIn}), HasSubstr("(overflow)"));
  EXPECT_THAT(given(RearrangeAttrs{{24}, {kHuge}, 0, kSame}, {kIn}), HasSubstr("(overflow)"));
  EXPECT_THAT(given(RearrangeAttrs{{24}, {INT64_MIN}, 0, kSame}, {kIn}), HasSubstr("(overflow)"));
  EXPECT_THAT(given(RearrangeAttrs{{24}, {0}, -1, kSame}, {kIn}), HasSubstr("from element -1 to -1"));
  // Two far axes that cancel out at their ends do not hide the middle.
  EXPECT_THAT(given(RearrangeAttrs{{2, 12}, {-12, 1}, 0, kSame}, {kIn}), HasSubstr("from element -12 to 11"));
}

TEST(TensorOps, AxesAreCountedAndMultiplied) {
  EXPECT_EQ(given(RearrangeAttrs{{6, 4}, {1}, 0, kSame}, {kIn}), "rearrange 'n': the input has 1 strides for 2 axes");
  EXPECT_EQ(given(RearrangeAttrs{{5, 4}, {1, 1}, 0, kSame}, {kIn}),
            "rearrange 'n': its dims have 20 places, the stated shape 1x2x3x4 has 24 elements");
  EXPECT_EQ(given(RearrangeAttrs{{1, 1, 1, 1, 1, 1, 1, 1, 24}, {}, 0, kSame}, {kIn}),
            "rearrange 'n': dims has more than 8 axes");
  EXPECT_EQ(given(RearrangeAttrs{{-24, -1}, {1, 1}, 0, kSame}, {kIn}),
            "rearrange 'n': dims has an extent of -24, want at least 1 and at most 2147483648 places in all");
  EXPECT_THAT(given(RearrangeAttrs{{1 << 20, 1 << 20}, {0, 0}, 0, kSame}, {kIn}), HasSubstr("an extent of 1048576"));
  EXPECT_THAT(given(RearrangeAttrs{{kHuge, 2}, {0, 0}, 0, kSame}, {kIn}), HasSubstr("an extent of 9223"));
  EXPECT_EQ(given(RearrangeAttrs{{}, {}, 23, {1, 1, 1, 1}}, {kIn}), "1x1x1x1");
}

TEST(TensorOps, Arithmetic) {
  EXPECT_EQ(given(BinaryAttrs{BinaryKind::add, {}, {6, 4}, {4, 1}, {0, 1}, kSame}, {kIn, {1, 1, 1, 4}}), "1x2x3x4");
  EXPECT_THAT(given(BinaryAttrs{BinaryKind::add, {}, {24}, {1}, {1}, kSame}, {kIn, {1, 1, 1, 4}}),
              HasSubstr("input b would be read from element 0 to 23, it has 4"));
  EXPECT_THAT(given(BinaryAttrs{BinaryKind::add, {Activation::leaky, NAN}, {24}, {1}, {1}, kSame}, {kIn, kIn}),
              HasSubstr("the slope alpha is nan"));
  EXPECT_EQ(given(UnaryAttrs{UnaryKind::exp}, {kIn}), "1x2x3x4");
  EXPECT_EQ(given(UnaryAttrs{UnaryKind::clip, 0, INFINITY}, {kIn}),
            "unary 'n': the parameters are 0 and inf, want finite numbers");
  const Extents one{1, 1, 1, 1};
  EXPECT_EQ(given(SelectAttrs{{24}, {1}, {0}, {1}, kSame}, {kIn, one, kIn}), "1x2x3x4");
  EXPECT_THAT(given(SelectAttrs{{24}, {1}, {1}, {1}, kSame}, {kIn, one, kIn}), HasSubstr("input a would be read"));
  EXPECT_THAT(given(SelectAttrs{{24}, {1}, {1}, {1}, kSame}, {one, kIn, kIn}),
              HasSubstr("the condition would be read"));
}

TEST(TensorOps, MatMul) {
  const MatMulAttrs product{{2}, {12}, {0}, 3, 4, 5, {1, 2, 3, 5}};
  EXPECT_EQ(given(product, {kIn, {1, 1, 4, 5}}), "1x2x3x5");
  EXPECT_THAT(given(product, {kIn, {1, 1, 4, 4}}), HasSubstr("input b would be read from element 0 to 19, it has 16"));
  EXPECT_THAT(given(product, {{1, 1, 5, 4}, {1, 1, 4, 5}}), HasSubstr("input a would be read from element 0 to 23"));
  MatMulAttrs wrong = product;
  wrong.shape = {1, 2, 3, 4};
  EXPECT_EQ(given(wrong, {kIn, {1, 1, 4, 5}}), "matmul 'n': 2 products of 3x5 are not the stated shape 1x2x3x4");
  wrong.k = 0;
  EXPECT_THAT(given(wrong, {kIn, kIn}), HasSubstr("a matrix has an extent of 0"));
  wrong = product;
  wrong.m = wrong.n = wrong.k = kHuge;
  EXPECT_THAT(given(wrong, {kIn, kIn}), HasSubstr("a matrix has an extent of 9223"));
  wrong = product;
  wrong.batch = {1 << 30};
  EXPECT_THAT(given(wrong, {kIn, kIn}), HasSubstr("1073741824 products of 3x5 are not"));
  Graph graph;
  const ValueId a = graph.add_input("a", {1, 2, 3, 4}), b = graph.add_input("b", {1, 1, 4, 5});
  graph.outputs = {graph.add("y", product, {a, b})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  EXPECT_EQ(macs(graph, graph.nodes[2]), 2 * 3 * 4 * 5);
}

TEST(TensorOps, Reductions) {
  EXPECT_EQ(given(ReduceAttrs{ReduceKind::mean, false, {6}, {4}, {4}, {1}, {1, 2, 3, 1}}, {kIn}), "1x2x3x1");
  EXPECT_THAT(given(ReduceAttrs{ReduceKind::mean, false, {6}, {4}, {5}, {1}, {1, 2, 3, 1}}, {kIn}),
              HasSubstr("the input would be read from element 0 to 24, it has 24"));
  EXPECT_THAT(given(ReduceAttrs{ReduceKind::mean, false, {6}, {4}, {0}, {1}, {1, 2, 3, 1}}, {kIn}),
              HasSubstr("what is reduced has an extent of 0"));
  const ReduceAttrs far{ReduceKind::argmax, false, {}, {}, {1 << 25}, {0}, {1, 1, 1, 1}};
  EXPECT_EQ(given(far, {kIn}),
            "reduce 'n': positions among 33554432 numbers are not exact in f32, want at most 16777216");
  EXPECT_EQ(given(TopKAttrs{4}, {kIn}), "1x2x3x4");
  EXPECT_EQ(given(TopKAttrs{5}, {kIn}), "top_k 'n': takes 5 of 4 channels");
  EXPECT_EQ(given(TopKAttrs{0}, {kIn}), "top_k 'n': takes 0 of 4 channels");
}

TEST(TensorOps, Gathers) {
  EXPECT_EQ(given(GatherAttrs{2, 3, 4, false, {1, 2, 5, 4}}, {kIn, {1, 1, 1, 5}}), "1x2x5x4");
  EXPECT_EQ(given(GatherAttrs{2, 3, 4, true, {1, 2, 1, 4}}, {kIn, {1, 2, 1, 4}}), "1x2x1x4");
  EXPECT_EQ(given(GatherAttrs{2, 3, 5, false, {1, 2, 5, 4}}, {kIn, {1, 1, 1, 5}}),
            "gather 'n': its data is 1x2x3x4, want outer 2 x axis 3 x inner 5");
  EXPECT_EQ(given(GatherAttrs{2, 3, 4, false, {1, 2, 5, 4}}, {kIn, {1, 1, 1, 6}}),
            "gather 'n': 6 indices between outer 2 and inner 4 do not give the stated shape 1x2x5x4");
  EXPECT_THAT(given(GatherAttrs{2, 3, 4, true, {1, 2, 2, 4}}, {kIn, {1, 2, 1, 4}}), HasSubstr("8 indices"));
  EXPECT_THAT(given(GatherAttrs{kHuge, kHuge, kHuge, false, kSame}, {kIn, kIn}), HasSubstr("the data has an extent"));
}

TEST(TensorOps, Resizes) {
  const ResizeAttrs good{ResizeKind::linear, {0, 1}, {1, 1}, {0}, {2}, {0.5f, 0}, {0.25f}, {1, 2, 1, 4}};
  EXPECT_EQ(given(good, {kIn}), "1x2x1x4");
  ResizeAttrs bad = good;
  bad.x_lo = {3};
  EXPECT_EQ(given(bad, {kIn}), "resize 'n': width: reads line 3 of 3");
  bad.x_lo = {-1};
  EXPECT_EQ(given(bad, {kIn}), "resize 'n': width: reads line -1 of 3");
  bad = good;
  bad.y_w = {0.5f};
  EXPECT_EQ(given(bad, {kIn}), "resize 'n': height: tables of 2, 2 and 1 entries, want 2, 2 and 2");
  bad = good;
  bad.kind = ResizeKind::nearest;
  EXPECT_EQ(given(bad, {kIn}), "resize 'n': height: tables of 2, 2 and 2 entries, want 2, 0 and 0");
  bad = good;
  bad.y_w = {0, NAN};
  EXPECT_EQ(given(bad, {kIn}), "resize 'n': height: a weight is nan, want finite numbers");
  bad = good;
  bad.shape = {1, 2, 1, 5};
  EXPECT_EQ(given(bad, {kIn}), "resize 'n': makes 1x2x1x5 from 1x2x3x4, want the same batch and channels");
}

TEST(TensorOps, PadsAndJoins) {
  EXPECT_EQ(given(PadAttrs{PadMode::reflect, {0, 1, 2, 3}, {0, 1, 2, 3}}, {kIn}), "1x4x7x10");
  EXPECT_EQ(given(PadAttrs{PadMode::reflect, {0, 2, 0, 0}, {0, 0, 0, 0}}, {kIn}),
            "pad 'n': pads an axis of 2 by 2 and 0, want 0 to 1");
  EXPECT_EQ(given(PadAttrs{PadMode::edge, {0, -1, 0, 0}, {0, 0, 0, 0}}, {kIn}),
            "pad 'n': pads an axis of 2 by -1 and 0, want 0 to 16777216");
  EXPECT_THAT(given(PadAttrs{PadMode::edge, {0, kHuge, 0, 0}, {0, kHuge, 0, 0}}, {kIn}), HasSubstr("pads an axis"));
  EXPECT_EQ(given(PadAttrs{PadMode::edge, {0, 1}, {0, 0, 0, 0}}, {kIn}), "pad 'n': pads 2 and 4 axes, want 4");
  EXPECT_EQ(given(PadAttrs{.value = INFINITY}, {kIn}), "pad 'n': pads with inf, want a finite number");
  EXPECT_EQ(given(ConcatDimsAttrs{2, {12, 3}, {1, 2, 3, 5}}, {kIn, {1, 1, 2, 3}}), "1x2x3x5");
  EXPECT_EQ(given(ConcatDimsAttrs{2, {12}, {1, 2, 3, 5}}, {kIn, {1, 1, 2, 3}}),
            "concat_dims 'n': has 1 run lengths for 2 inputs");
  EXPECT_EQ(given(ConcatDimsAttrs{2, {12, 4}, {1, 2, 3, 5}}, {kIn, {1, 1, 2, 3}}),
            "concat_dims 'n': input 1 is 1x1x2x3, want 2 runs of 4");
  EXPECT_EQ(given(ConcatDimsAttrs{2, {12, 3}, {1, 2, 3, 4}}, {kIn, {1, 1, 2, 3}}),
            "concat_dims 'n': joins 30 elements to the stated shape 1x2x3x4");
}

TEST(TensorOps, DilatedPoolsKeepATapOnTheImage) {
  const auto pool = [](int k, int d, int pad) {
    return PoolAttrs{PoolAttrs::Kind::max, k, 1, 1, 1, {pad, 0, pad, 0}, d, 1};
  };
  EXPECT_EQ(given(pool(3, 2, 2), {{1, 5, 1, 1}}), "1x5x1x1");
  EXPECT_EQ(given(pool(3, 2, 2), {{1, 1, 1, 1}}), "1x1x1x1") << "taps at -2, 0 and 2";
  EXPECT_EQ(given(pool(2, 3, 1), {{1, 3, 1, 1}}), "1x2x1x1") << "taps at -1 and 2, at 0 and 3";
  EXPECT_THAT(given(pool(2, 3, 1), {{1, 2, 1, 1}}), HasSubstr("lies wholly on the padding"));
  EXPECT_THAT(given(pool(2, 4, 2), {{1, 1, 1, 1}}), HasSubstr("lies wholly on the padding"));
}

}  // namespace
}  // namespace tessera
