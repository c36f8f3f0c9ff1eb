// Reductions, sorting, gathering and products: values by hand or from the examples of the ONNX specification.

#include <cmath>
#include <limits>

#include "model/onnx/evaluate/test_calls.h"

namespace tessera::onnx {
namespace {

using testing::HasSubstr;

const float kNaN = std::numeric_limits<float>::quiet_NaN();

Attributes with(std::string key, Attribute value) { return {{std::move(key), std::move(value)}}; }

TEST(OnnxEvaluate, ReductionsTakeAxesOfEitherAge) {
  const Tensor x = counted({2, 3}, 1);
  expect_result({"ReduceSum", {x}}, reals({1, 1}, {21}));
  expect_result({"ReduceMean", {x}, with("axes", Numbers{-1})}, reals({2, 1}, {2, 5}));
  expect_result({"ReduceMax", {x, ints({0})}, with("keepdims", std::int64_t{0}), 18}, reals({3}, {4, 5, 6}));
  expect_result({"ReduceMin", {x, ints({0})}}, reals({1, 3}, {1, 2, 3}));
  expect_result({"ReduceProd", {x, ints({0, 1})}, with("keepdims", std::int64_t{0})}, reals({}, {720}));
  expect_result({"ReduceSumSquare", {x, ints({1})}}, reals({2, 1}, {14, 77}));
  expect_result({"ReduceL2", {reals({2}, {3, -4})}}, reals({1}, {5}));
  expect_result({"ReduceL1", {reals({2}, {3, -4})}}, reals({1}, {7}));
  expect_near({"ReduceLogSum", {x}}, {std::log(21.0f)});
  expect_near({"ReduceLogSumExp", {reals({2}, {1000, 1000})}}, {1000 + std::log(2.0f)});
  expect_result({"ReduceSum", {x, ints(Numbers{})}, with("noop_with_empty_axes", std::int64_t{1})}, x);
  EXPECT_EQ(error_of({"ReduceSum", {x, ints({1, -1})}}), "ReduceSum 'it': axis -1 twice");
}

TEST(OnnxEvaluate, ReductionsOfIntegersAndOfNothing) {
  expect_result({"ReduceSum", {ints({1, 2, 4})}}, ints({7}));
  expect_result({"ReduceMean", {ints({1, 2, 5})}}, ints({2}));
  expect_result({"ReduceSum", {reals({0, 2}, {}), ints({0})}}, reals({1, 2}, {0, 0}));
  expect_result({"ReduceMax", {reals({1, 0}, {}), ints({1})}}, reals({1, 1}, {-HUGE_VALF}));
  EXPECT_TRUE(std::isnan(result_of({"ReduceMax", {reals({3}, {1, kNaN, 2})}}).at(0)));
  EXPECT_EQ(error_of({"ReduceMean", {ints(Numbers{})}}), "ReduceMean 'it': not for these integers");
}

TEST(OnnxEvaluate, ArgMaxTakesTheFirst) {
  const Tensor x = reals({2, 3}, {1, 3, 3, 7, 2, 7});
  expect_result({"ArgMax", {x}, with("axis", std::int64_t{1})}, ints({2, 1}, {1, 0}));
  expect_result({"ArgMax", {x}, {{"axis", std::int64_t{-1}}, {"select_last_index", std::int64_t{1}}}},
                ints({2, 1}, {2, 2}));
  expect_result({"ArgMin", {x}, with("keepdims", std::int64_t{0})}, ints({0, 1, 0}));
  expect_result({"ArgMax", {reals({3}, {1, kNaN, 2})}}, ints({1}));
  EXPECT_EQ(error_of({"ArgMax", {reals({0}, {})}}), "ArgMax 'it': no numbers along axis 0");
}

TEST(OnnxEvaluate, SoftmaxFlattensBeforeOpset13) {
  const Tensor x = reals({1, 2, 2}, {0, 0, 0, std::log(3.0f)});
  expect_near({"Softmax", {x}}, {0.5f, 0.5f, 0.25f, 0.75f});
  expect_near({"Softmax", {x}, {}, 11}, {1 / 6.0f, 1 / 6.0f, 1 / 6.0f, 0.5f});
  expect_near({"Softmax", {x}, with("axis", std::int64_t{1})}, {0.5f, 0.25f, 0.5f, 0.75f});
  expect_near({"LogSoftmax", {x}}, {std::log(0.5f), std::log(0.5f), std::log(0.25f), std::log(0.75f)});
  expect_near({"Softmax", {reals({2}, {1e30f, -1e30f})}}, {1, 0});
}

TEST(OnnxEvaluate, TopKSortsWithTheLowerIndexFirst) {
  const TestCall call{"TopK", {reals({2, 4}, {3, 1, 3, 2, 0, 5, 4, 5}), ints({3})}, {}, 11, 2};
  const auto top = call.run();
  ASSERT_TRUE(top.has_value()) << top.error().message;
  expect_tensor((*top)[0], reals({2, 3}, {3, 3, 2, 5, 5, 4}));
  expect_tensor((*top)[1], ints({2, 3}, {0, 2, 3, 1, 3, 2}));
  const auto low = TestCall{"TopK",
                            {reals({3, 2}, {3, 1, kNaN, 2, 0, 5}), ints({2})},
                            {{"axis", std::int64_t{0}}, {"largest", std::int64_t{0}}},
                            11,
                            2}
                       .run();
  ASSERT_TRUE(low.has_value()) << low.error().message;
  expect_tensor((*low)[0], reals({2, 2}, {0, 1, 3, 2}));
  expect_tensor((*low)[1], ints({2, 2}, {2, 0, 0, 1}));
  const auto old = TestCall{"TopK", {ints({4, 6})}, with("k", std::int64_t{1}), 7, 2}.run();
  ASSERT_TRUE(old.has_value()) << old.error().message;
  expect_tensor(old->front(), ints({6}));
  EXPECT_EQ(error_of({"TopK", {ints({4, 6}), ints({3})}}), "TopK 'it': k is 3, the axis has 2");
}

TEST(OnnxEvaluate, Gather) {
  const Tensor x = reals({3, 2}, {1.0f, 1.5f, 2, 2.5f, 3, 3.5f});
  expect_result({"Gather", {x, ints({2, 2}, {0, 1, 1, -1})}},
                reals({2, 2, 2}, {1.0f, 1.5f, 2, 2.5f, 2, 2.5f, 3, 3.5f}));
  expect_result({"Gather", {x, ints({}, {1})}, with("axis", std::int64_t{1})}, reals({3}, {1.5f, 2.5f, 3.5f}));
  EXPECT_EQ(error_of({"Gather", {x, ints({3})}}), "Gather 'it': index 3 of an axis of 3");
  EXPECT_EQ(error_of({"Gather", {x, ints({std::numeric_limits<std::int64_t>::min()})}}),
            "Gather 'it': index -9223372036854775808 of an axis of 3");
  EXPECT_EQ(error_of({"Gather", {x, reals({1}, {0})}}), "Gather 'it': indices are no integers");
}

TEST(OnnxEvaluate, GatherElements) {
  const Tensor x = reals({2, 2}, {1, 2, 3, 4});
  expect_result({"GatherElements", {x, ints({2, 2}, {0, 0, 1, 0})}, with("axis", std::int64_t{1})},
                reals({2, 2}, {1, 1, 4, 3}));
  expect_result({"GatherElements", {x, ints({1, 2}, {-1, 0})}}, reals({1, 2}, {3, 2}));
  EXPECT_EQ(error_of({"GatherElements", {x, ints({1, 3}, {0, 0, 0})}}),
            "GatherElements 'it': indices [1, 3] of [2, 2]");
}

TEST(OnnxEvaluate, GatherAndScatterBlocks) {
  const Tensor x = ints({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  expect_result({"GatherND", {x, ints({2, 2}, {0, 1, 1, 0})}}, ints({2, 2}, {2, 3, 4, 5}));
  expect_result({"GatherND", {x, ints({2, 1}, {1, 0})}, with("batch_dims", std::int64_t{1})},
                ints({2, 2}, {2, 3, 4, 5}));
  expect_result({"ScatterND", {ints({1, 2, 3, 4}), ints({2, 1}, {3, -4}), ints({9, 8})}}, ints({8, 2, 3, 9}));
  EXPECT_EQ(error_of({"GatherND", {x, ints({1, 2}, {0, 2})}}), "GatherND 'it': index 2 of an axis of 2");
  EXPECT_THAT(error_of({"GatherND", {x, ints({1, 4}, {0, 0, 0, 0})}}), HasSubstr("do not fit"));
  EXPECT_EQ(error_of({"ScatterND", {x, ints({1, 1}, {0}), ints({1, 2}, {1, 1})}}),
            "ScatterND 'it': updates are [1, 2], not [1, 2, 2]");
}

TEST(OnnxEvaluate, MatMulFollowsNumPy) {
  const Tensor a = counted({2, 3}), b = counted({3, 2});
  expect_result({"MatMul", {a, b}}, reals({2, 2}, {10, 13, 28, 40}));
  expect_result({"MatMul", {reals({3}, {1, 1, 1}), b}}, reals({2}, {6, 9}));
  expect_result({"MatMul", {a, reals({3}, {1, 0, 1})}}, reals({2}, {2, 8}));
  expect_result({"MatMul", {ints({2}), ints({3})}}, ints({}, {6}));
  expect_result({"MatMul", {counted({2, 1, 1, 2}), counted({2, 2, 1})}}, reals({2, 2, 1, 1}, {1, 3, 3, 13}));
  EXPECT_EQ(error_of({"MatMul", {a, a}}), "MatMul 'it': [2, 3] times [2, 3]");
  EXPECT_EQ(error_of({"MatMul", {a, reals({}, {1})}}), "MatMul 'it': a scalar is no matrix");
}

TEST(OnnxEvaluate, Gemm) {
  const Tensor a = counted({2, 3}), b = counted({3, 2}), c = reals({2}, {1, 2});
  expect_result({"Gemm", {a, b, c}, {{"alpha", 0.5f}, {"beta", 2.0f}}}, reals({2, 2}, {7, 10.5f, 16, 24}));
  expect_result({"Gemm", {b, a}, {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}},
                reals({2, 2}, {10, 28, 13, 40}));
  EXPECT_EQ(error_of({"Gemm", {a, b, reals({3}, {1, 2, 3})}}), "Gemm 'it': C [3] does not fit [2, 2]");
}

TEST(OnnxEvaluate, ConvolutionByOnePixel) {
  const Tensor x = counted({1, 2, 1, 2}), w = reals({2, 2, 1, 1}, {1, 10, 2, 0});
  expect_result({"Conv", {x, w, reals({2}, {0.5f, 0})}}, reals({1, 2, 1, 2}, {20.5f, 31.5f, 0, 2}));
  EXPECT_THAT(error_of({"Conv", {x, counted({1, 2, 1, 3})}}), HasSubstr("only a 1x1 convolution"));
  EXPECT_THAT(error_of({"Conv", {x, w}, with("pads", Numbers{0, 1, 0, 1})}), HasSubstr("only a 1x1 convolution"));
  EXPECT_EQ(error_of({"Conv", {counted({1, 1, 1, 1}), w}}), "Conv 'it': input has 1 channels, weights want 2");
}

TEST(OnnxEvaluate, CumSumAndNonZero) {
  const Tensor x = reals({3}, {1, 2, 3});
  expect_result({"CumSum", {x, ints({}, {0})}}, reals({3}, {1, 3, 6}));
  expect_result({"CumSum", {x, ints({}, {0})}, {{"exclusive", std::int64_t{1}}, {"reverse", std::int64_t{1}}}},
                reals({3}, {5, 3, 0}));
  expect_result({"NonZero", {truths({2, 2}, {1, 0, 1, 1})}}, ints({2, 3}, {0, 1, 1, 0, 0, 1}));
}

TEST(OnnxEvaluate, RefusesWhatItCannotTrust) {
  EXPECT_FALSE(can_evaluate("Resize"));
  EXPECT_TRUE(can_evaluate("Abs") && can_evaluate("Xor") && !can_evaluate("") && !can_evaluate("Zip"));
  EXPECT_EQ(error_of({"Resize", {}}), "Resize 'it': cannot be evaluated");
  EXPECT_EQ(error_of({"Add", {counted({1})}}), "Add 'it': input 1 is absent");
  EXPECT_EQ(error_of({"Add", {counted({1}), std::nullopt}}), "Add 'it': input 1 is absent");
  EXPECT_EQ(error_of({"Abs", {reals({2}, {1})}}), "Abs 'it': [2] with 1 numbers");
  EXPECT_EQ(error_of({"Abs", {Tensor{Kind::real, {1}, nullptr, nullptr}}}), "Abs 'it': [1] with 0 numbers");
  EXPECT_EQ(error_of({"Abs", {counted({1})}, {}, 13, 2}), "Abs 'it': 2 outputs, 1 are known");
}

TEST(OnnxEvaluate, RefusesWorkWithoutEnd) {
  const std::int64_t edge = 2600;
  const TestCall ones{"ConstantOfShape", {ints({edge, edge})}};
  const Tensor matrix = result_of(ones);
  EXPECT_EQ(error_of({"MatMul", {matrix, matrix}}), "MatMul 'it': more than 2147483648 multiplications");
  EXPECT_EQ(error_of({"Mul", {counted({8193, 1}), counted({1, 8192})}}),
            "Mul 'it': extents [8193, 8192] are more than 67108864");
}

}  // namespace
}  // namespace tessera::onnx
