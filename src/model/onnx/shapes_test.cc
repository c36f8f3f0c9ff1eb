#include "model/onnx/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tessera::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

IrNode node(std::string op) {
  IrNode n;
  n.op = std::move(op);
  n.name = "cut";
  return n;
}
const IrNode kNode = node("Slice");

template <class T>
std::string error(const Result<T>& result) {
  return result.has_value() ? "no error" : result.error().message;
}

TEST(OnnxShapes, ElementsRefuseWhatCannotBe) {
  EXPECT_EQ(elements(kNode, {2, 3, 4}).value_or(-1), 24);
  EXPECT_EQ(elements(kNode, {}).value_or(-1), 1);
  EXPECT_EQ(elements(kNode, {5, 0}).value_or(-1), 0);
  EXPECT_EQ(error(elements(kNode, {2, -1})), "Slice 'cut': negative extent in [2, -1]");
  EXPECT_EQ(error(elements(kNode, {2, 3}, 5)), "Slice 'cut': extents [2, 3] are more than 5");
  EXPECT_FALSE(elements(kNode, {kMost, kMost}).has_value());
  EXPECT_FALSE(elements(kNode, {0, kMost, kMost}).has_value()) << "strides would overflow";
  EXPECT_THAT(error(elements(kNode, {1, 1, 1, 1, 1, 1, 1, 1, 1})), HasSubstr("more than 8 axes"));
}

TEST(OnnxShapes, AxesCountFromTheEnd) {
  EXPECT_EQ(axis_of(kNode, -1, 4).value_or(-9), 3);
  EXPECT_EQ(axis_of(kNode, 0, 4).value_or(-9), 0);
  EXPECT_EQ(error(axis_of(kNode, 4, 4)), "Slice 'cut': axis 4 of a tensor of 4 axes");
  EXPECT_FALSE(axis_of(kNode, kLeast, 4).has_value());
  EXPECT_FALSE(axis_of(kNode, 0, 0).has_value());
  EXPECT_THAT(axes_of(kNode, Numbers{-1, 0}, 3).value(), ElementsAre(2, 0));
  EXPECT_EQ(error(axes_of(kNode, Numbers{1, -2}, 3)), "Slice 'cut': axis -2 twice");
}

TEST(OnnxShapes, BroadcastAlignsTheLastAxes) {
  EXPECT_EQ(broadcast(kNode, {2, 3, 4, 5}, {}).value(), (Dims{2, 3, 4, 5}));
  EXPECT_EQ(broadcast(kNode, {4, 5}, {2, 3, 1, 5}).value(), (Dims{2, 3, 4, 5}));
  EXPECT_EQ(broadcast(kNode, {1, 4}, {3, 1}).value(), (Dims{3, 4}));
  EXPECT_EQ(broadcast(kNode, {0}, {1}).value(), (Dims{0}));
  EXPECT_EQ(error(broadcast(kNode, {2, 3}, {2})), "Slice 'cut': shapes [2, 3] and [2] differ");
  EXPECT_FALSE(broadcast(kNode, {0}, {2}).has_value());
  EXPECT_FALSE(broadcast(kNode, {kMaxTensor, 1}, {1, kMaxTensor}).has_value());
}

// The cases of the specification's own examples for Reshape.
TEST(OnnxShapes, Reshape) {
  IrNode n = node("Reshape");
  const Dims from{2, 3, 4};
  EXPECT_EQ(reshaped(n, from, Numbers{4, 2, 3}).value(), (Dims{4, 2, 3}));
  EXPECT_EQ(reshaped(n, from, Numbers{2, -1, 2}).value(), (Dims{2, 6, 2}));
  EXPECT_EQ(reshaped(n, from, Numbers{-1, 2, 3, 4}).value(), (Dims{1, 2, 3, 4}));
  EXPECT_EQ(reshaped(n, from, Numbers{2, 0, 4, 1}).value(), (Dims{2, 3, 4, 1}));
  EXPECT_EQ(reshaped(n, from, Numbers{2, 0, 1, -1}).value(), (Dims{2, 3, 1, 4}));
  EXPECT_EQ(reshaped(n, {1, 1}, Numbers{}).value(), Dims{});
  EXPECT_EQ(reshaped(n, {0, 3}, Numbers{3, -1}).value(), (Dims{3, 0}));
  EXPECT_EQ(error(reshaped(n, from, Numbers{5, -1})), "Reshape 'cut': no way from [2, 3, 4] to [5, -1]");
  EXPECT_EQ(error(reshaped(n, from, Numbers{-1, -1})), "Reshape 'cut': [-1, -1] leaves two axes open");
  EXPECT_THAT(error(reshaped(n, from, Numbers{1, 1, 1, 0})), HasSubstr("copies an axis that [2, 3, 4] has not"));
  EXPECT_FALSE(reshaped(n, from, Numbers{-2, -12}).has_value());
  EXPECT_FALSE(reshaped(n, from, Numbers{kMost, kMost, 24}).has_value());
  n.attributes["allowzero"] = std::int64_t{1};
  EXPECT_EQ(reshaped(n, {0, 3, 4}, Numbers{3, 4, 0}).value(), (Dims{3, 4, 0}));
  EXPECT_FALSE(reshaped(n, {0, 3}, Numbers{0, -1}).has_value()) << "anything would do";
}

TEST(OnnxShapes, FlattenCutsBeforeTheAxis) {
  IrNode n = node("Flatten");
  EXPECT_EQ(flattened(n, {2, 3, 4, 5}).value(), (Dims{2, 60}));
  n.attributes["axis"] = std::int64_t{-2};
  EXPECT_EQ(flattened(n, {2, 3, 4, 5}).value(), (Dims{6, 20}));
  n.attributes["axis"] = std::int64_t{4};
  EXPECT_EQ(flattened(n, {2, 3, 4, 5}).value(), (Dims{120, 1}));
  n.attributes["axis"] = std::int64_t{5};
  EXPECT_EQ(error(flattened(n, {2, 3, 4, 5})), "Flatten 'cut': axis 5 of [2, 3, 4, 5]");
}

TEST(OnnxShapes, SqueezeAndUnsqueeze) {
  EXPECT_EQ(squeezed(kNode, {1, 3, 1, 5}, std::nullopt).value(), (Dims{3, 5}));
  EXPECT_EQ(squeezed(kNode, {1, 3, 1, 5}, Numbers{-2}).value(), (Dims{1, 3, 5}));
  EXPECT_EQ(error(squeezed(kNode, {1, 3}, Numbers{1})), "Slice 'cut': axis 1 of [1, 3] is not 1");
  EXPECT_EQ(unsqueezed(kNode, {3, 4, 5}, Numbers{-2}).value(), (Dims{3, 4, 1, 5}));
  EXPECT_EQ(unsqueezed(kNode, {3, 4}, Numbers{3, 0}).value(), (Dims{1, 3, 4, 1}));
  EXPECT_EQ(unsqueezed(kNode, {}, Numbers{0}).value(), (Dims{1}));
  EXPECT_FALSE(unsqueezed(kNode, {3}, Numbers{0, 0}).has_value());
  EXPECT_FALSE(unsqueezed(kNode, {3}, Numbers{2}).has_value());
  EXPECT_FALSE(unsqueezed(kNode, {1, 1, 1, 1, 1, 1, 1, 1}, Numbers{0}).has_value());
}

TEST(OnnxShapes, PermutationReversesUnlessNamed) {
  IrNode n = node("Transpose");
  EXPECT_THAT(permutation_of(n, 3).value(), ElementsAre(2, 1, 0));
  n.attributes["perm"] = Numbers{0, 2, 1};
  EXPECT_THAT(permutation_of(n, 3).value(), ElementsAre(0, 2, 1));
  EXPECT_EQ(error(permutation_of(n, 2)), "Transpose 'cut': perm [0, 2, 1] of a tensor of 2 axes");
  n.attributes["perm"] = Numbers{0, 0, 1};
  EXPECT_FALSE(permutation_of(n, 3).has_value());
}

Range one(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto ranges = slice_ranges(kNode, {extent}, {Numbers{start}, Numbers{end}, std::nullopt, Numbers{step}});
  return ranges ? ranges->front() : Range{-99, -99, -99};
}

TEST(OnnxShapes, SliceClampsWhereTheSpecificationDoes) {
  EXPECT_EQ(one(20, 0, 3, 1), (Range{0, 1, 3}));
  EXPECT_EQ(one(10, 0, -1, 1), (Range{0, 1, 9}));
  EXPECT_EQ(one(10, 1, 1000, 1), (Range{1, 1, 9}));
  EXPECT_EQ(one(10, 1000, 1000, 1), (Range{0, 1, 0}));
  EXPECT_EQ(one(20, 20, 0, -4), (Range{19, -4, 5}));
  EXPECT_EQ(one(10, -1, kLeast, -1), (Range{9, -1, 10})) << "exporters write a whole reversal this way";
  EXPECT_EQ(one(10, kLeast, kMost, 1), (Range{0, 1, 10}));
  EXPECT_EQ(one(10, kMost, kLeast, kLeast), (Range{9, 1, 1}));
  EXPECT_EQ(one(10, 0, 10, kMost), (Range{0, 1, 1}));
  EXPECT_EQ(one(9, 1, kMost, 2), (Range{1, 2, 4}));
  EXPECT_EQ(one(0, 0, 1, -1), (Range{0, 1, 0}));
}

TEST(OnnxShapes, SliceAxes) {
  const auto some = slice_ranges(kNode, {4, 5, 6}, {Numbers{1, 2}, Numbers{3, 6}, Numbers{-1, 0}, std::nullopt});
  EXPECT_THAT(some.value(), ElementsAre(Range{2, 1, 2}, Range{0, 1, 5}, Range{1, 1, 2}));
  EXPECT_EQ(error(slice_ranges(kNode, {4}, {Numbers{0}, Numbers{}, {}, {}})),
            "Slice 'cut': starts, ends and steps are not equally many");
  EXPECT_EQ(error(slice_ranges(kNode, {4}, {Numbers{0}, Numbers{1}, Numbers{0, 0}, {}})),
            "Slice 'cut': 1 numbers for 2 axes");
  EXPECT_EQ(error(slice_ranges(kNode, {4}, {Numbers{0}, Numbers{1}, {}, Numbers{0}})), "Slice 'cut': a step of 0");
  EXPECT_FALSE(slice_ranges(kNode, {4}, {Numbers{0, 0}, Numbers{1, 1}, {}, {}}).has_value());
}

TEST(OnnxShapes, SplitSizes) {
  IrNode n = node("Split");
  n.outputs = {1, 2, 3};
  EXPECT_THAT(split_sizes(n, 6, std::nullopt, 11).value(), ElementsAre(2, 2, 2));
  EXPECT_EQ(error(split_sizes(n, 7, std::nullopt, 13)), "Split 'cut': 7 does not split into 3 equal parts");
  EXPECT_THAT(split_sizes(n, 7, std::nullopt, 18).value(), ElementsAre(3, 3, 1));
  EXPECT_THAT(split_sizes(n, 7, Numbers{0, 5, 2}, 13).value(), ElementsAre(0, 5, 2));
  EXPECT_EQ(error(split_sizes(n, 7, Numbers{1, 5, 2}, 13)), "Split 'cut': [1, 5, 2] do not add up to 7");
  EXPECT_FALSE(split_sizes(n, 7, Numbers{1, 5}, 13).has_value());
  EXPECT_FALSE(split_sizes(n, 7, Numbers{-1, 5, 3}, 13).has_value());
  EXPECT_FALSE(split_sizes(n, 7, Numbers{kMost, kMost, 9}, 13).has_value());
  n.attributes["num_outputs"] = std::int64_t{2};
  EXPECT_EQ(error(split_sizes(n, 6, std::nullopt, 18)), "Split 'cut': num_outputs is 2, outputs are 3");
}

TEST(OnnxShapes, PadsMayCutOff) {
  const auto pads = pads_of(kNode, {3, 4}, Numbers{0, 2, 1, -1}, std::nullopt);
  ASSERT_TRUE(pads.has_value()) << error(pads);
  EXPECT_EQ(pads->begin, (Dims{0, 2}));
  EXPECT_EQ(pads->end, (Dims{1, -1}));
  EXPECT_EQ(pads->dims, (Dims{4, 5}));
  EXPECT_EQ(pads_of(kNode, {3, 4}, Numbers{1, 2}, Numbers{-1}).value().dims, (Dims{3, 7}));
  EXPECT_EQ(error(pads_of(kNode, {3}, Numbers{-2, -2}, std::nullopt)), "Slice 'cut': pads [-2, -2] do not fit [3]");
  EXPECT_FALSE(pads_of(kNode, {3}, Numbers{-4, 4}, std::nullopt).has_value());
  EXPECT_FALSE(pads_of(kNode, {3}, Numbers{kMost, kMost}, std::nullopt).has_value());
  EXPECT_FALSE(pads_of(kNode, {3}, Numbers{1}, std::nullopt).has_value());
  EXPECT_FALSE(pads_of(kNode, {3, 4}, Numbers{1, 1}, std::nullopt).has_value());
}

TEST(OnnxShapes, TileMultiplies) {
  EXPECT_EQ(tiled(kNode, {2, 3}, Numbers{1, 4}).value(), (Dims{2, 12}));
  EXPECT_EQ(error(tiled(kNode, {2, 3}, Numbers{1})), "Slice 'cut': repeats [1] for 2 axes");
  EXPECT_FALSE(tiled(kNode, {2}, Numbers{-1}).has_value());
  EXPECT_FALSE(tiled(kNode, {2}, Numbers{kMost}).has_value());
  EXPECT_FALSE(tiled(kNode, {1, 1}, Numbers{kMost, kMost}).has_value());
}

TEST(OnnxShapes, BlocksMoveBetweenDepthAndSpace) {
  IrNode n = node("DepthToSpace");
  EXPECT_EQ(error(blocks_of(n, {1, 4, 1, 1})), "DepthToSpace 'cut': a blocksize of 0");
  n.attributes["blocksize"] = std::int64_t{2};
  EXPECT_EQ(blocks_of(n, {1, 8, 3, 5}).value().dims, (Dims{1, 2, 6, 10}));
  EXPECT_EQ(error(blocks_of(n, {8, 3, 5})), "DepthToSpace 'cut': [8, 3, 5] has not 4 axes");
  n.attributes["mode"] = std::string("XYZ");
  EXPECT_EQ(error(blocks_of(n, {1, 8, 3, 5})), "DepthToSpace 'cut': mode 'XYZ'");
  n.op = "SpaceToDepth";
  EXPECT_EQ(blocks_of(n, {1, 2, 6, 10}).value().dims, (Dims{1, 8, 3, 5}));
  EXPECT_FALSE(blocks_of(n, {1, 2, 5, 10}).has_value());
  n.attributes["blocksize"] = kMost;
  EXPECT_FALSE(blocks_of(n, {1, 2, 6, 10}).has_value());
}

TEST(OnnxShapes, ConcatAddsAlongOneAxis) {
  EXPECT_EQ(concatenated(kNode, std::vector<Dims>{{2, 3}, {2, 4}}, 1).value(), (Dims{2, 7}));
  EXPECT_EQ(error(concatenated(kNode, std::vector<Dims>{{2, 3}, {3, 3}}, 1)),
            "Slice 'cut': shapes [2, 3] and [3, 3] differ beside axis 1");
  EXPECT_FALSE(concatenated(kNode, std::vector<Dims>{{2, 3}, {2}}, 1).has_value());
  EXPECT_FALSE(concatenated(kNode, {}, 0).has_value());
}

}  // namespace
}  // namespace tessera::onnx
