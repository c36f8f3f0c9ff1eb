// Values by hand or from the examples of the ONNX specification.

#include <limits>

#include "model/onnx/evaluate/test_calls.h"

namespace tessera::onnx {
namespace {

using testing::HasSubstr;

Attributes with(std::string key, Attribute value) { return {{std::move(key), std::move(value)}}; }

TEST(OnnxEvaluate, ReshapesKeepTheOrder) {
  const Tensor x = counted({2, 3, 4});
  expect_result({"Reshape", {x, ints({4, -1})}}, counted({4, 6}));
  expect_result({"Flatten", {x}, with("axis", std::int64_t{2})}, counted({6, 4}));
  expect_result({"Squeeze", {counted({1, 2, 1}), ints({0})}}, counted({2, 1}));
  expect_result({"Squeeze", {counted({1, 2, 1})}, with("axes", Numbers{2}), 11}, counted({1, 2}));
  expect_result({"Unsqueeze", {counted({2}), ints({0, 2})}}, counted({1, 2, 1}));
  expect_result({"Unsqueeze", {counted({2})}, with("axes", Numbers{1}), 11}, counted({2, 1}));
  EXPECT_EQ(error_of({"Unsqueeze", {x}}), "Unsqueeze 'it': no axes");
  EXPECT_EQ(error_of({"Reshape", {x, reals({1}, {24})}}), "Reshape 'it': input 1 (shape) is no list of integers");
}

TEST(OnnxEvaluate, Transpose) {
  expect_result({"Transpose", {counted({2, 3})}}, reals({3, 2}, {0, 3, 1, 4, 2, 5}));
  expect_result({"Transpose", {counted({1, 2, 2})}, with("perm", Numbers{2, 0, 1})}, reals({2, 1, 2}, {0, 2, 1, 3}));
}

TEST(OnnxEvaluate, Slice) {
  const Tensor x = counted({3, 4});
  expect_result({"Slice", {x, ints({1}), ints({3})}}, counted({2, 4}, 4));
  expect_result({"Slice", {x, ints({0}), ints({4}), ints({-1}), ints({2})}}, reals({3, 2}, {0, 2, 4, 6, 8, 10}));
  expect_result(
      {"Slice", {counted({4}), ints({-1}), ints({std::numeric_limits<std::int64_t>::min()}), std::nullopt, ints({-1})}},
      reals({4}, {3, 2, 1, 0}));
  expect_result({"Slice", {x}, {{"starts", Numbers{1}}, {"ends", Numbers{2}}, {"axes", Numbers{1}}}, 9},
                reals({3, 1}, {1, 5, 9}));
  expect_result({"Slice", {x, ints({5}), ints({9})}}, reals({0, 4}, {}));
  EXPECT_EQ(error_of({"Slice", {x, ints({0}), ints({1}), ints({2})}}), "Slice 'it': axis 2 of a tensor of 2 axes");
}

TEST(OnnxEvaluate, SplitGivesEveryOutput) {
  const TestCall call{"Split", {counted({2, 3}), ints({1, 2})}, with("axis", std::int64_t{1}), 13, 2};
  const auto parts = call.run();
  ASSERT_TRUE(parts.has_value()) << parts.error().message;
  ASSERT_EQ(parts->size(), 2u);
  expect_tensor((*parts)[0], reals({2, 1}, {0, 3}));
  expect_tensor((*parts)[1], reals({2, 2}, {1, 2, 4, 5}));
  const auto old = TestCall{"Split", {counted({4})}, with("split", Numbers{1, 3}), 11, 2}.run();
  ASSERT_TRUE(old.has_value()) << old.error().message;
  expect_tensor(old->back(), counted({3}, 1));
}

TEST(OnnxEvaluate, ConcatJoins) {
  expect_result({"Concat", {counted({2, 1}), counted({2, 2}, 10)}, with("axis", std::int64_t{1})},
                reals({2, 3}, {0, 10, 11, 1, 12, 13}));
  expect_result({"Concat", {ints({1}), ints({}), ints({2, 3})}, with("axis", std::int64_t{-1})}, ints({1, 2, 3}));
  EXPECT_EQ(error_of({"Concat", {counted({2, 1}), counted({3, 1})}, with("axis", std::int64_t{1})}),
            "Concat 'it': shapes [2, 1] and [3, 1] differ beside axis 1");
  EXPECT_THAT(error_of({"Concat", {counted({1}), ints({1})}, with("axis", std::int64_t{0})}), HasSubstr("one kind"));
}

TEST(OnnxEvaluate, ExpandAndTileRepeat) {
  expect_result({"Expand", {reals({2, 1}, {1, 2}), ints({2, 1, 2})}}, reals({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2}));
  expect_result({"Expand", {reals({2}, {1, 2}), ints({1})}}, reals({2}, {1, 2}));
  expect_result({"Tile", {counted({2, 2}), ints({2, 2})}},
                reals({4, 4}, {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
  expect_result({"Tile", {reals({0}, {}), ints({std::int64_t{1} << 60})}}, reals({0}, {}));
  EXPECT_THAT(error_of({"Expand", {counted({1}), ints({std::int64_t{1} << 40})}}), HasSubstr("are more than 67108864"));
  EXPECT_THAT(error_of({"Tile", {counted({2}), ints({-1})}}), HasSubstr("repeats [-1]"));
}

TEST(OnnxEvaluate, PadModes) {
  const Tensor x = reals({3}, {1, 2, 3}), pads = ints({2, 3});
  const auto mode = [](const char* name) { return with("mode", std::string(name)); };
  expect_result({"Pad", {x, pads, reals({}, {9})}}, reals({8}, {9, 9, 1, 2, 3, 9, 9, 9}));
  expect_result({"Pad", {x, pads}, mode("reflect")}, reals({8}, {3, 2, 1, 2, 3, 2, 1, 2}));
  expect_result({"Pad", {x, pads}, mode("edge")}, reals({8}, {1, 1, 1, 2, 3, 3, 3, 3}));
  expect_result({"Pad", {x, pads}, mode("wrap"), 19}, reals({8}, {2, 3, 1, 2, 3, 1, 2, 3}));
  expect_result({"Pad", {x, ints({-1, 1})}}, reals({3}, {2, 3, 0}));
  expect_result({"Pad", {x}, {{"pads", Numbers{1, 0}}, {"value", 7.0f}}, 7}, reals({4}, {7, 1, 2, 3}));
  expect_result({"Pad", {counted({2, 2}), ints({1, 0}), std::nullopt, ints({-1})}}, reals({2, 3}, {0, 0, 1, 0, 2, 3}));
  EXPECT_EQ(error_of({"Pad", {x, pads}, mode("mirror")}), "Pad 'it': 'mirror'");
  EXPECT_EQ(error_of({"Pad", {reals({0}, {}), ints({1, 0})}, mode("edge")}), "Pad 'it': nothing to repeat");
}

// The specification's example of both modes.
TEST(OnnxEvaluate, DepthToSpaceAndBack) {
  const Tensor x = counted({1, 4, 1, 2});
  const Attributes two = with("blocksize", std::int64_t{2});
  const Tensor wide = reals({1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect_result({"DepthToSpace", {x}, two}, wide);
  expect_result({"SpaceToDepth", {wide}, two}, x);
  const Tensor deep = counted({1, 8, 1, 1});
  expect_result({"DepthToSpace", {deep}, two}, reals({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7}));
  expect_result({"DepthToSpace", {deep}, {{"blocksize", std::int64_t{2}}, {"mode", std::string("CRD")}}},
                counted({1, 2, 2, 2}));
  EXPECT_EQ(error_of({"DepthToSpace", {counted({1, 3, 1, 1})}, two}),
            "DepthToSpace 'it': [1, 3, 1, 1] does not divide by a blocksize of 2");
  EXPECT_EQ(error_of({"SpaceToDepth", {x}}), "SpaceToDepth 'it': a blocksize of 0");
}

TEST(OnnxEvaluate, ConstantsAndShapes) {
  const Tensor x = counted({2, 3, 4});
  expect_result({"Constant", {}, with("value_float", 2.5f)}, reals({}, {2.5f}));
  expect_result({"Constant", {}, with("value_ints", Numbers{4, 5})}, ints({4, 5}));
  expect_result({"Constant", {}, with("value", x)}, x);
  expect_result({"ConstantOfShape", {ints({2, 2})}}, reals({2, 2}, {0, 0, 0, 0}));
  expect_result({"ConstantOfShape", {ints(Numbers{})}, with("value", ints({7}))}, ints({}, {7}));
  expect_result({"Shape", {x}}, ints({2, 3, 4}));
  expect_result({"Shape", {x}, {{"start", std::int64_t{-2}}, {"end", std::int64_t{-1}}}, 15}, ints({3}));
  expect_result({"Size", {x}}, ints({}, {24}));
  EXPECT_EQ(error_of({"Constant", {}, with("value_string", std::string("a"))}),
            "Constant 'it': its value is neither a dense tensor nor a number");
  EXPECT_THAT(error_of({"ConstantOfShape", {ints({1 << 20, 1 << 20})}}), HasSubstr("are more than 67108864"));
}

TEST(OnnxEvaluate, RangeCounts) {
  expect_result({"Range", {ints({}, {10}), ints({}, {4}), ints({}, {-2})}}, ints({10, 8, 6}));
  expect_result({"Range", {ints({}, {3}), ints({}, {3}), ints({}, {1})}}, ints(Numbers{}));
  expect_result({"Range", {reals({}, {1}), reals({}, {2}), reals({}, {0.25f})}}, reals({4}, {1, 1.25f, 1.5f, 1.75f}));
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max(), kLeast = std::numeric_limits<std::int64_t>::min();
  expect_result({"Range", {ints({}, {kMost}), ints({}, {kLeast}), ints({}, {kLeast})}}, ints({kMost, -1}));
  EXPECT_EQ(error_of({"Range", {ints({}, {0}), ints({}, {1}), ints({}, {0})}}), "Range 'it': a delta of 0");
  EXPECT_EQ(error_of({"Range", {ints({}, {kLeast}), ints({}, {kMost}), ints({}, {1})}}),
            "Range 'it': more than 67108864 numbers");
  EXPECT_THAT(error_of({"Range", {reals({}, {0}), reals({}, {1}), reals({}, {1e-30f})}}), HasSubstr("more than"));
}

TEST(OnnxEvaluate, DropoutPassesOn) {
  const auto both = TestCall{"Dropout", {counted({2})}, {}, 13, 2}.run();
  ASSERT_TRUE(both.has_value()) << both.error().message;
  expect_tensor(both->front(), counted({2}));
  expect_tensor(both->back(), truths({2}, {1, 1}));
  EXPECT_EQ(error_of({"Dropout", {counted({2}), reals({}, {0.5f}), truths({}, {1})}}), "Dropout 'it': training_mode");
}

}  // namespace
}  // namespace tessera::onnx
