// Values by hand or from the examples of the ONNX specification.

#include <cmath>
#include <limits>

#include "model/onnx/evaluate/test_calls.h"

namespace tessera::onnx {
namespace {

using testing::HasSubstr;

constexpr float kInf = HUGE_VALF;
const float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(OnnxEvaluate, BinaryBroadcasts) {
  const Tensor row = reals({3}, {10, 20, 30}), column = reals({2, 1}, {1, 2});
  expect_result({"Add", {row, column}}, reals({2, 3}, {11, 21, 31, 12, 22, 32}));
  expect_result({"Sub", {column, row}}, reals({2, 3}, {-9, -19, -29, -8, -18, -28}));
  expect_result({"Mul", {row, reals({}, {0.5f})}}, reals({3}, {5, 10, 15}));
  expect_result({"Div", {row, reals({1, 1}, {4})}}, reals({1, 3}, {2.5f, 5, 7.5f}));
  expect_result({"Add", {reals({0}, {}), reals({1}, {1})}}, reals({0}, {}));
  expect_result({"Pow", {reals({3}, {1, 2, 3}), reals({3}, {4, 5, 6})}}, reals({3}, {1, 32, 729}));
  EXPECT_EQ(error_of({"Add", {row, reals({2}, {1, 2})}}), "Add 'it': shapes [3] and [2] differ");
  EXPECT_EQ(error_of({"Add", {row, ints({1, 2, 3})}}), "Add 'it': inputs are real and integer, must be of one kind");
}

TEST(OnnxEvaluate, IntegersTruncateAndWrap) {
  expect_result({"Div", {ints({7, -7, 7, kLeast}), ints({2, 2, -2, -1})}}, ints({3, -3, -3, kLeast}));
  expect_result({"Mod", {ints({-4, 7, 5, 4, -7, 8}), ints({2, -3, 8, -2, 3, 5})}}, ints({0, -2, 5, 0, 2, 3}));
  expect_result({"Mod", {ints({-4, 7, 5, 4, -7, 8}), ints({2, -3, 8, -2, 3, 5})}, {{"fmod", std::int64_t{1}}}},
                ints({0, 1, 5, 0, -1, 3}));
  expect_result({"Mod", {reals({2}, {-4.5f, 7}), reals({2}, {2, -3})}, {{"fmod", std::int64_t{1}}}},
                reals({2}, {-0.5f, 1}));
  expect_result({"Mul", {ints({kLeast, 3}), ints({2, -5})}}, ints({0, -15}));
  expect_result({"Neg", {ints({kLeast, 3})}}, ints({kLeast, -3}));
  expect_result({"Pow", {ints({2, -3, 5, 2}), ints({62, 3, 0, -1})}}, ints({std::int64_t{1} << 62, -27, 1, 0}));
  expect_result({"Pow", {reals({2}, {1.5f, 4}), ints({2, 3})}}, reals({2}, {2.25f, 64}));
  EXPECT_EQ(error_of({"Div", {ints({1}), ints({0})}}), "Div 'it': divides by 0");
  EXPECT_EQ(error_of({"Mod", {reals({1}, {1}), reals({1}, {1})}}), "Mod 'it': reals need the attribute fmod");
}

TEST(OnnxEvaluate, SmallActivations) {
  const Tensor x = reals({3}, {-1, 0, 1});
  expect_result({"Relu", {x}}, reals({3}, {0, 0, 1}));
  expect_result({"LeakyRelu", {x}, {{"alpha", 0.125f}}}, reals({3}, {-0.125f, 0, 1}));
  expect_result({"HardSigmoid", {x}, {{"alpha", 0.5f}, {"beta", 0.75f}}}, reals({3}, {0.25f, 0.75f, 1}));
  expect_result({"HardSwish", {reals({4}, {-4, -3, 3, 4})}}, reals({4}, {0, 0, 3, 4}));
  expect_result({"PRelu", {reals({2, 2}, {-1, -2, 3, -4}), reals({2}, {2, 0.5f})}}, reals({2, 2}, {-2, -1, 3, -2}));
  expect_near({"Elu", {x}, {{"alpha", 2.0f}}}, {-1.2642411f, 0, 1});
  expect_near({"Sigmoid", {x}}, {0.26894142f, 0.5f, 0.7310586f});
  expect_near({"Softplus", {reals({4}, {-1, 0, 1, 1000})}}, {0.31326166f, 0.6931472f, 1.3132616f, 1000});
  expect_near({"Mish", {x}}, {-0.30340147f, 0, 0.86509839f});
  expect_near({"Gelu", {x}}, {-0.15865526f, 0, 0.84134474f});
  expect_near({"Gelu", {x}, {{"approximate", std::string("tanh")}}}, {-0.15880801f, 0, 0.84119199f});
  expect_near({"Tanh", {x}}, {-0.76159418f, 0, 0.76159418f});
  EXPECT_EQ(error_of({"PRelu", {reals({1}, {1}), reals({2}, {1, 2})}}), "PRelu 'it': slope [2] does not fit [1]");
}

TEST(OnnxEvaluate, RoundingAndSigns) {
  const Tensor x = reals({5}, {-2.5f, -0.5f, 0.5f, 1.5f, 2.6f});
  expect_result({"Round", {x}}, reals({5}, {-2, 0, 0, 2, 3}));
  expect_result({"Floor", {x}}, reals({5}, {-3, -1, 0, 1, 2}));
  expect_result({"Ceil", {x}}, reals({5}, {-2, 0, 1, 2, 3}));
  expect_result({"Sign", {reals({3}, {-7, 0, kInf})}}, reals({3}, {-1, 0, 1}));
  expect_result({"Round", {reals({2}, {kInf, -kInf})}}, reals({2}, {kInf, -kInf}));
  expect_result({"Abs", {ints({-3, 4})}}, ints({3, 4}));
  expect_result({"Reciprocal", {reals({2}, {-4, 0})}}, reals({2}, {-0.25f, kInf}));
  expect_near({"Erf", {reals({2}, {0.5f, -1})}}, {0.52049988f, -0.84270079f});
  EXPECT_EQ(error_of({"Sqrt", {ints({4})}}), "Sqrt 'it': not for integers");
}

TEST(OnnxEvaluate, ClipTakesBoundsOfEitherAge) {
  const Tensor x = reals({3}, {-2, 0, 2});
  expect_result({"Clip", {x}, {{"min", -1.0f}, {"max", 1.0f}}, 6}, reals({3}, {-1, 0, 1}));
  expect_result({"Clip", {x, std::nullopt, reals({}, {1})}}, reals({3}, {-2, 0, 1}));
  expect_result({"Clip", {x, reals({}, {2}), reals({}, {1})}}, reals({3}, {1, 1, 1}));
  expect_result({"Clip", {ints({-5, 5}), ints({}, {-1})}}, ints({-1, 5}));
  EXPECT_TRUE(std::isnan(result_of({"Clip", {reals({1}, {kNaN}), reals({}, {0}), reals({}, {1})}}).at(0)));
  EXPECT_EQ(error_of({"Clip", {x, reals({2}, {0, 1})}}), "Clip 'it': min is not one number");
  EXPECT_THAT(error_of({"Clip", {x, ints({}, {0})}}), HasSubstr("must be of one kind"));
}

TEST(OnnxEvaluate, VariadicTakesAnyNumber) {
  const Tensor a = reals({2}, {1, 5}), b = reals({2, 1}, {3, 4}), c = reals({}, {2});
  expect_result({"Max", {a, b, c}}, reals({2, 2}, {3, 5, 4, 5}));
  expect_result({"Min", {a, b, c}}, reals({2, 2}, {1, 2, 1, 2}));
  expect_result({"Sum", {a, b, c}}, reals({2, 2}, {6, 10, 7, 11}));
  expect_result({"Mean", {a, b, c}}, reals({2, 2}, {2, 10 / 3.0f, 7 / 3.0f, 11 / 3.0f}));
  expect_result({"Max", {ints({1, 9}), ints({4, 4})}}, ints({4, 9}));
  EXPECT_TRUE(std::isnan(result_of({"Max", {reals({}, {kNaN}), reals({}, {1})}}).at(0)));
  EXPECT_TRUE(std::isnan(result_of({"Min", {reals({}, {1}), reals({}, {kNaN})}}).at(0)));
  EXPECT_EQ(error_of({"Max", {a, std::nullopt}}), "Max 'it': an input is absent");
}

TEST(OnnxEvaluate, ComparisonsGiveTruthValues) {
  const Tensor x = reals({3}, {1, 2, 3}), two = reals({}, {2});
  expect_result({"Less", {x, two}}, truths({3}, {1, 0, 0}));
  expect_result({"LessOrEqual", {x, two}}, truths({3}, {1, 1, 0}));
  expect_result({"Greater", {x, two}}, truths({3}, {0, 0, 1}));
  expect_result({"GreaterOrEqual", {x, two}}, truths({3}, {0, 1, 1}));
  expect_result({"Equal", {ints({1, 2}), ints({2})}}, truths({2}, {0, 1}));
  const Tensor left = truths({4}, {0, 0, 1, 1}), right = truths({4}, {0, 1, 0, 1});
  expect_result({"And", {left, right}}, truths({4}, {0, 0, 0, 1}));
  expect_result({"Or", {left, right}}, truths({4}, {0, 1, 1, 1}));
  expect_result({"Xor", {left, right}}, truths({4}, {0, 1, 1, 0}));
  expect_result({"Not", {left}}, truths({4}, {1, 1, 0, 0}));
  EXPECT_EQ(error_of({"And", {x, x}}), "And 'it': input 0 is real, want truth values");
}

TEST(OnnxEvaluate, TruthValuesAreNoNumbers) {
  EXPECT_EQ(error_of({"Add", {truths({1}, {1}), truths({1}, {1})}}), "Add 'it': input 0 is boolean, want numbers");
  EXPECT_EQ(error_of({"Not", {ints({1})}}), "Not 'it': input 0 is integer, want truth values");
  EXPECT_EQ(error_of({"Softmax", {ints({1})}}), "Softmax 'it': input 0 is integer, want reals");
  expect_result({"ReduceMax", {truths({2, 0}, {}), ints({1})}}, truths({2, 1}, {0, 0}));
  expect_result({"ReduceMin", {truths({2, 2}, {1, 1, 0, 1}), ints({1})}}, truths({2, 1}, {1, 0}));
}

TEST(OnnxEvaluate, WhereChooses) {
  expect_result({"Where", {truths({2, 1}, {1, 0}), reals({2}, {1, 2}), reals({}, {9})}}, reals({2, 2}, {1, 2, 9, 9}));
  EXPECT_EQ(error_of({"Where", {ints({1}), ints({1}), ints({2})}}), "Where 'it': the condition is no truth value");
}

Attributes to(std::int64_t type) { return {{"to", type}}; }

TEST(OnnxEvaluate, CastTakesTheNamedTypesRange) {
  const Tensor x = reals({5}, {-1.9f, 1.9f, 300, kInf, kNaN});
  expect_result({"Cast", {x}, to(7)}, ints({-1, 1, 300, std::numeric_limits<std::int64_t>::max(), 0}));
  expect_result({"Cast", {ints({-1, 300, 5})}, to(2)}, ints({255, 44, 5}));
  expect_result({"Cast", {ints({200, -129})}, to(3)}, ints({-56, 127}));
  expect_result({"Cast", {reals({3}, {0, 0.25f, -1})}, to(9)}, truths({3}, {0, 1, 1}));
  expect_result({"Cast", {truths({2}, {0, 1})}, to(1)}, reals({2}, {0, 1}));
  // 1 + 2^-11 lies between two halves and goes to the even one; 65520 to infinity; 2^-24 is the smallest half.
  expect_result({"Cast", {reals({4}, {1.00048828125f, 65519, 65520, 0x1p-24f})}, to(10)},
                reals({4}, {1, 65504, kInf, 0x1p-24f}));
  expect_result({"Cast", {reals({2}, {1.00390625f, 1.01171875f})}, to(16)}, reals({2}, {1, 1.015625f}));
  EXPECT_EQ(error_of({"Cast", {x}, to(8)}), "Cast 'it': casts to the element type 8");
}

}  // namespace
}  // namespace tessera::onnx
