#include "kernels/activation/activation_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace tessera {
namespace {

// Values to 17 digits from the definitions, computed with 50-digit arithmetic (mpmath 1.3).
TEST(ActivationValue, IsTheDefinition) {
  const auto at = [](Activation kind, double x) { return activation_value(x, {kind, 0.1f}); };
  EXPECT_DOUBLE_EQ(at(Activation::mish, 1.0), 0.86509838826731034);
  EXPECT_DOUBLE_EQ(at(Activation::mish, -2.0), -0.25250148269570886);
  EXPECT_DOUBLE_EQ(at(Activation::mish, 100.0), 100.0);
  EXPECT_DOUBLE_EQ(at(Activation::mish, 800.0), 800.0);  // exp overflows, the answer does not
  EXPECT_DOUBLE_EQ(at(Activation::silu, 1.0), 0.73105857863000488);
  EXPECT_DOUBLE_EQ(at(Activation::silu, -800.0), 0.0);
  EXPECT_DOUBLE_EQ(at(Activation::logistic, -2.0), 0.11920292202211756);
  EXPECT_DOUBLE_EQ(at(Activation::tanh, 0.5), 0.46211715726000976);
  for (const auto& [x, want] : {std::pair{-3.0, 0.0}, {-2.0, 0.0}, {-1.0, -0.5}, {0.5, 0.5}, {3.0, 3.0}}) {
    EXPECT_EQ(at(Activation::hard_mish, x), want) << x;
  }
  for (const auto& [x, want] : {std::pair{-4.0, 0.0}, {-1.5, -0.375}, {3.0, 3.0}, {5.0, 5.0}}) {
    EXPECT_EQ(at(Activation::hard_swish, x), want) << x;
  }
  EXPECT_EQ(at(Activation::relu, -1), 0);
  EXPECT_EQ(at(Activation::relu6, 7), 6);
  EXPECT_EQ(at(Activation::leaky, -1), -double{0.1f});
  EXPECT_EQ(at(Activation::linear, -1), -1);
}

TEST(ActivationValue, HasItsLimitsAndKeepsNan) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= static_cast<int>(Activation::tanh); ++k) {
    const ActivationSpec act{static_cast<Activation>(k), 0.1f};
    const bool bounded = act.kind == Activation::logistic || act.kind == Activation::tanh;
    const double above = act.kind == Activation::relu6 ? 6 : bounded ? 1 : kInf;
    EXPECT_EQ(activation_value(kInf, act), above) << k;
    const bool unbounded = act.kind == Activation::linear || act.kind == Activation::leaky;
    const double below = unbounded ? -kInf : act.kind == Activation::tanh ? -1 : 0;
    EXPECT_EQ(activation_value(-kInf, act), below) << k;
    EXPECT_TRUE(std::isnan(activation_value(std::numeric_limits<double>::quiet_NaN(), act))) << k;
  }
}

}  // namespace
}  // namespace tessera
