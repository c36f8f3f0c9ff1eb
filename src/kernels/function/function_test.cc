// Every variant against the formulas, at sizes around the vectors, over ordinary and special numbers.

#include "kernels/function/function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/function/function_value.h"
#include "kernels/test_support.h"

namespace tessera {
namespace {

constexpr int kBinaryKinds = static_cast<int>(BinaryKind::int_div) + 1;
constexpr int kUnaryKinds = static_cast<int>(UnaryKind::gelu_tanh) + 1;

TEST(Function, BinaryVariantsGiveTheFormulasNumbers) {
  const Rng rng;
  int compared = 0;
  for (const auto& variant : supported(binary_f32_variants(), CpuInfo::detect())) {
    for (int k = 0; k < kBinaryKinds; ++k) {
      const auto kind = static_cast<BinaryKind>(k);
      for (const std::size_t n : sizes_around({1, 8, 16})) {
        for (const auto& [a_step, b_step] : {std::pair{1, 1}, {1, 0}, {0, 1}, {0, 0}}) {
          const auto a = rng.specials(n + 1), b = rng.specials(n + 1);
          std::vector<float> got(n + 1, kPoison), want(n + 1, kPoison);
          variant.run(kind, a.data(), a_step, b.data(), b_step, got.data(), static_cast<std::int64_t>(n));
          for (std::size_t i = 0; i < n; ++i) {
            want[i] = static_cast<float>(binary_value(kind, a[a_step ? i : 0], b[b_step ? i : 0]));
          }
          ASSERT_TRUE(same_numbers(got, want)) << variant.name << " kind " << k << " n=" << n;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Function, PowerOfTwoIsASquare) {
  const float x[] = {-3, 0.1f, 1e20f}, two = 2;
  for (const auto& variant : supported(binary_f32_variants(), CpuInfo::detect())) {
    float got[3];
    variant.run(BinaryKind::pow, x, 1, &two, 0, got, 3);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(got[i], static_cast<float>(std::pow(double{x[i]}, 2.0))) << variant.name;
  }
}

// The bounds of function.h; all other kinds are exact.
double bound(UnaryKind kind, double want) {
  switch (kind) {
    case UnaryKind::exp:
    case UnaryKind::elu:
    case UnaryKind::gelu_tanh:
      return 1e-6 * std::max(1.0, std::abs(want));
    case UnaryKind::hard_sigmoid:
      return 2.4e-7;  // alpha * x is below 8 where the result is not clipped: half an ulp of it
    default:
      return 0;
  }
}

TEST(Function, UnaryVariantsKeepTheirBounds) {
  const Rng rng;
  int compared = 0;
  for (const auto& variant : supported(unary_f32_variants(), CpuInfo::detect())) {
    for (int k = 0; k < kUnaryKinds; ++k) {
      const auto kind = static_cast<UnaryKind>(k);
      const float alpha = kind == UnaryKind::clip ? -1.5f : 0.75f, beta = kind == UnaryKind::clip ? 2.5f : 0.5f;
      for (const std::size_t n : sizes_around({1, 8, 16})) {
        auto src = rng.specials(n);
        for (float& x : src) {
          if (rng.below(4) == 0) x = static_cast<float>(static_cast<int>(rng.below(21)) - 10) * 0.5f;  // ties
          if (bound(kind, 0) > 0 && std::abs(x) > 1e30f && std::isfinite(x)) x = 3;  // |x| * error is beyond any bound
        }
        std::vector<float> got(n + 1, kPoison);
        variant.run(kind, alpha, beta, src.data(), got.data(), static_cast<std::int64_t>(n));
        EXPECT_EQ(got[n], kPoison);
        for (std::size_t i = 0; i < n; ++i) {
          const auto want = static_cast<float>(unary_value(kind, src[i], alpha, beta));
          if (got[i] == want || (std::isnan(got[i]) && std::isnan(want))) continue;
          ASSERT_NEAR(got[i], want, bound(kind, want)) << variant.name << " kind " << k << " of " << src[i];
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Function, FormulasByHand) {
  EXPECT_EQ(binary_value(BinaryKind::mod, -7, 3), 2);
  EXPECT_EQ(binary_value(BinaryKind::mod, 7, -3), -2);
  EXPECT_EQ(binary_value(BinaryKind::fmod, -7, 3), -1);
  EXPECT_EQ(binary_value(BinaryKind::int_div, -7, 2), -3);
  EXPECT_EQ(binary_value(BinaryKind::prelu, -4, 0.25), -1);
  EXPECT_EQ(binary_value(BinaryKind::xor_, 2, 3), 0);
  EXPECT_TRUE(std::isnan(binary_value(BinaryKind::max, NAN, 1)) && std::isnan(binary_value(BinaryKind::max, 1, NAN)));
  EXPECT_EQ(unary_value(UnaryKind::round, 0.5, 0, 0), 0);
  EXPECT_EQ(unary_value(UnaryKind::round, 1.5, 0, 0), 2);
  EXPECT_EQ(unary_value(UnaryKind::round, -2.5, 0, 0), -2);
  EXPECT_EQ(unary_value(UnaryKind::clip, 5, 3, 1), 1) << "the upper bound is applied last";
  EXPECT_EQ(unary_value(UnaryKind::not_, 0, 0, 0), 1);
  EXPECT_EQ(unary_value(UnaryKind::softplus, 1000, 0, 0), 1000);
  EXPECT_NEAR(unary_value(UnaryKind::gelu, 1, 0, 0), 0.8413447460685429, 1e-15);
  EXPECT_NEAR(unary_value(UnaryKind::gelu_tanh, 1, 0, 0), 0.8411919906082768, 1e-15);
}

}  // namespace
}  // namespace tessera
