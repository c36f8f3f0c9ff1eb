#include "kernels/activation/activation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/activation/activation_value.h"
#include "kernels/activation/vec_scalar.h"
#include "kernels/test_support.h"

namespace tessera {
namespace {

constexpr Activation kKinds[] = {Activation::linear,     Activation::relu,      Activation::relu6, Activation::leaky,
                                 Activation::mish,       Activation::hard_mish, Activation::silu,  Activation::logistic,
                                 Activation::hard_swish, Activation::tanh};
constexpr const char* kNames[] = {"linear",    "relu", "relu6",    "leaky",      "mish",
                                  "hard_mish", "silu", "logistic", "hard_swish", "tanh"};
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The bounds vec_math.h promises. The simple ones round at most three times: the sum, the factor, the product.
double bound(Activation kind, double x) {
  const double size = std::max(1.0, std::fabs(x));
  switch (kind) {
    case Activation::mish:
      return 1e-6 * size;
    case Activation::silu:
    case Activation::logistic:
    case Activation::tanh:
      return 5e-7 * size;
    case Activation::linear:
    case Activation::relu:
    case Activation::relu6:
      return 0;
    default:
      return 3 * 0x1p-24 * size;
  }
}

struct Worst {
  double excess = -1;  // |error| - bound
  float x = 0, got = 0;
  double want = 0;
  long wrong = 0, compared = 0;
};

void compare(ActivationSpec act, std::span<const float> xs, std::span<const float> ys, Worst& worst) {
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double want = activation_value(static_cast<double>(xs[i]), act);
    ++worst.compared;
    if (std::isnan(want) ? std::isnan(ys[i]) : static_cast<double>(ys[i]) == want) continue;
    double excess = std::fabs(static_cast<double>(ys[i]) - want) - bound(act.kind, static_cast<double>(xs[i]));
    if (std::isnan(excess)) excess = std::numeric_limits<double>::infinity();
    if (excess > 0) ++worst.wrong;
    if (excess > worst.excess) worst = {excess, xs[i], ys[i], want, worst.wrong, worst.compared};
  }
}

// Calls use(block) for consecutive blocks of the floats with bit patterns first, first + step, ...
template <class Use>
void for_patterns(std::uint64_t first, std::uint64_t last, std::uint64_t step, Use use) {
  std::vector<float> block;
  for (std::uint64_t bits = first; bits <= last; bits += step) {
    block.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (block.size() == 4096 || bits + step > last) {
      use(std::span<const float>(block));
      block.clear();
    }
  }
}

class EveryActivation : public testing::TestWithParam<Activation> {
 protected:
  void check(std::span<const float> xs) {
    const ActivationSpec act{GetParam(), 0.1f};
    std::vector<float> ys(xs.size());
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      variants_[v].run(xs.data(), ys.data(), xs.size(), act);
      compare(act, xs, ys, worst_[v]);
    }
  }
  void report() const {
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      EXPECT_GT(worst_[v].compared, 0);
      EXPECT_EQ(worst_[v].wrong, 0) << variants_[v].name << " of " << worst_[v].compared
                                    << ", worst at x=" << worst_[v].x << ": " << worst_[v].got << ", want "
                                    << worst_[v].want;
    }
  }
  const std::vector<Variant<ActivateF32>> variants_ = supported(activate_f32_variants(), CpuInfo::detect());
  std::vector<Worst> worst_ = std::vector<Worst>(variants_.size());
};

TEST_P(EveryActivation, KeepsItsBoundOverAllFloats) {
  for_patterns(0, 0xFFFFFFFFu, 1u << 10, [&](std::span<const float> xs) { check(xs); });  // NaN and infinities too
  report();
}

TEST_P(EveryActivation, KeepsItsBoundWhereFormulasChange) {
  for (const float centre :
       {0.0f, 0.625f, 1.0f, 2.0f, 3.0f, 10.0f, 20.0f, 80.0f, 87.336f, 87.69f, 88.3f, 88.7f, 104.0f}) {
    const std::uint64_t bits = std::bit_cast<std::uint32_t>(centre);
    for (const std::uint64_t sign : {0x00000000u, 0x80000000u}) {
      const std::uint64_t below = bits > 20000 ? bits - 20000 : 0;
      for_patterns(sign + below, sign + bits + 20000, 1, [&](std::span<const float> xs) { check(xs); });
    }
  }
  report();
}

TEST_P(EveryActivation, TakesAnyLengthInPlaceAndTouchesNothingElse) {
  const ActivationSpec act{GetParam(), 0.1f};
  const Rng rng;
  for (const auto& variant : variants_) {
    for (const std::size_t n : sizes_around({4, 8, 16, 32})) {
      const std::vector<float> src = rng.floats(n, -6, 6);
      std::vector<float> apart(n + 1, kPoison), in_place = src;
      in_place.push_back(kPoison);
      variant.run(src.data(), apart.data(), n, act);
      variant.run(in_place.data(), in_place.data(), n, act);
      EXPECT_EQ(apart, in_place) << variant.name << " n=" << n;
      EXPECT_EQ(apart[n], kPoison) << variant.name << " n=" << n;
      for (std::size_t i = 0; i < n; ++i) {  // the tail computes what the body does
        float one = 0;
        variant.run(&src[i], &one, 1, act);
        ASSERT_EQ(apart[i], one) << variant.name << " n=" << n << " i=" << i;
      }
    }
  }
}

// avx2, avx512 and neon give the same numbers, so one checksum (of every 4093rd finite float) holds on all machines.
// NaN never occurs; zeros count as +0, since max and min may choose either sign.
TEST_P(EveryActivation, FusedVariantsGiveTheSameNumbersOnEveryMachine) {
  constexpr std::uint64_t kChecksums[] = {
      0x3ff3860fd60a3aafu, 0xbad6d2995c2cf32cu, 0xeecb053dc44818fcu, 0x250cc34e9a01d866u, 0xf218ec6778430532u,
      0x73e06986cffad428u, 0xecfb77b135a5b3du,  0x749b87fbfcdff79fu, 0x215a35b2b5c44b3cu, 0x3afc26158b2156fu};
  const ActivationSpec act{GetParam(), 0.1f};
  int compared = 0;
  for (const auto& variant : variants_) {
    if (variant.isa == Isa::none) continue;
    std::uint64_t checksum = 0xcbf29ce484222325u;  // FNV-1a, a float at a time
    const auto add = [&](std::span<const float> xs) {
      std::vector<float> ys(xs.size());
      variant.run(xs.data(), ys.data(), xs.size(), act);
      for (const float y : ys) checksum = (checksum ^ std::bit_cast<std::uint32_t>(y + 0.0f)) * 0x100000001b3u;
    };
    for_patterns(0, 0x7F7FFFFFu, 4093, add);
    for_patterns(0x80000000u, 0xFF7FFFFFu, 4093, add);
    EXPECT_EQ(checksum, kChecksums[static_cast<int>(GetParam())]) << variant.name;
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "no SIMD variant";
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryActivation, testing::ValuesIn(kKinds),
                         [](const auto& info) { return kNames[static_cast<int>(info.param)]; });

float one(const Variant<ActivateF32>& variant, Activation kind, float x, float alpha = 0.1f) {
  float y = 0;
  variant.run(&x, &y, 1, {kind, alpha});
  return y;
}

TEST(Activation, LimitsAndSignsOfZero) {
  for (const auto& variant : supported(activate_f32_variants(), CpuInfo::detect())) {
    SCOPED_TRACE(variant.name);
    for (const Activation kind : {Activation::mish, Activation::silu, Activation::hard_mish, Activation::hard_swish}) {
      SCOPED_TRACE(static_cast<int>(kind));
      for (const float x : {-kInf, -0.0f}) {
        EXPECT_EQ(one(variant, kind, x), 0.0f);
        EXPECT_TRUE(std::signbit(one(variant, kind, x)));
      }
      EXPECT_EQ(one(variant, kind, kInf), kInf);
      EXPECT_EQ(one(variant, kind, 100.0f), 100.0f);
      EXPECT_EQ(one(variant, kind, 3e38f), 3e38f);
    }
    EXPECT_EQ(one(variant, Activation::logistic, -kInf), 0.0f);
    EXPECT_EQ(one(variant, Activation::logistic, kInf), 1.0f);
    EXPECT_EQ(one(variant, Activation::logistic, 0.0f), 0.5f);
    EXPECT_EQ(one(variant, Activation::tanh, -kInf), -1.0f);
    EXPECT_TRUE(std::signbit(one(variant, Activation::tanh, -0.0f)));
    EXPECT_EQ(one(variant, Activation::leaky, -8.0f, 0.25f), -2.0f);
    EXPECT_EQ(one(variant, Activation::leaky, -8.0f, -2.0f), 16.0f);
    EXPECT_EQ(one(variant, Activation::leaky, 8.0f, 3.0f), 8.0f);
    for (const Activation kind : kKinds) EXPECT_TRUE(std::isnan(one(variant, kind, kNan))) << static_cast<int>(kind);
  }
}

TEST(Activation, MishAndHardMishAreDifferentFunctions) {
  // Misra 2019: mish(1) = 0.865098; hard_mish(1) = 1 * 2 / 2.
  EXPECT_NEAR(one(activate_f32_variants().back(), Activation::mish, 1.0f), 0.865098388f, 1e-7f);
  EXPECT_EQ(one(activate_f32_variants().back(), Activation::hard_mish, 1.0f), 1.0f);
}

// Small results keep their relative accuracy: the whole of exp's own error shows in logistic(x) ~ e^x. 1.05e-7 of the
// polynomial, at most 2.5 roundings in it, one each for the sum and the quotient: 1.05e-7 + 4.5 * 2^-24 < 4e-7.
TEST(Activation, LogisticIsRelativelyAccurate) {
  for (const auto& variant : supported(activate_f32_variants(), CpuInfo::detect())) {
    Worst worst;
    for_patterns(0x80000000u, std::bit_cast<std::uint32_t>(-87.0f), 1u << 8, [&](std::span<const float> xs) {
      std::vector<float> ys(xs.size());
      variant.run(xs.data(), ys.data(), xs.size(), {Activation::logistic, 0});
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const double want = activation_value(static_cast<double>(xs[i]), {Activation::logistic, 0});
        const double error = std::fabs(static_cast<double>(ys[i]) / want - 1);
        if (error > worst.excess) worst = {error, xs[i], ys[i], want};
      }
    });
    EXPECT_LT(worst.excess, 4e-7) << variant.name << " at " << worst.x << ": " << worst.got << ", want " << worst.want;
  }
}

TEST(Activation, ExpKeepsItsRelativeBound) {
  double worst = 0;
  const auto measure = [&](std::span<const float> xs) {
    for (const float x : xs) {
      worst = std::max(worst, std::fabs(static_cast<double>(exp<VecScalar>(x)) / std::exp(static_cast<double>(x)) - 1));
    }
  };
  for_patterns(0, std::bit_cast<std::uint32_t>(88.37f), 1u << 8, measure);
  for_patterns(0x80000000u, std::bit_cast<std::uint32_t>(-87.33f), 1u << 8, measure);
  EXPECT_LT(worst, 3e-7);
  EXPECT_EQ(exp<VecScalar>(0.0f), 1.0f);
  EXPECT_EQ(exp<VecScalar>(-kInf), 0.0f);
  EXPECT_EQ(exp<VecScalar>(-1000.0f), 0.0f);
  EXPECT_EQ(exp<VecScalar>(kInf), kInf);
  EXPECT_TRUE(std::isnan(exp<VecScalar>(kNan)));
}

}  // namespace
}  // namespace tessera
