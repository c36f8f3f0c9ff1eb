#include "kernels/elementwise/elementwise.h"

#include <gtest/gtest.h>

#include "kernels/activation/activation.h"
#include "kernels/test_support.h"

namespace tessera {
namespace {

constexpr ActivationSpec kLinear{};

TEST(Add, EveryVariantEqualsReference) {
  const Rng rng;
  const auto reference = add_f32_variants().back();
  const std::int64_t pixels = 3;
  for (const auto& variant : supported(add_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t channels : sizes_around({4, 8, 16, 64})) {
      const auto c = static_cast<std::int64_t>(channels);
      for (const std::size_t count : {1u, 2u, 3u, 5u}) {
        for (const std::int64_t gap : {0, 3}) {
          std::vector<Plane> planes;
          for (std::size_t s = 0; s < count; ++s) planes.emplace_back(pixels, c, gap, rng.specials(channels * 3));
          const std::vector<Pixels> srcs(planes.begin(), planes.end());
          for (const ActivationSpec act : {kLinear, ActivationSpec{Activation::relu}, {Activation::leaky, 0.1f}}) {
            Plane got(pixels, c, gap), want(pixels, c, gap);
            variant.run(srcs, got, pixels, c, act);
            reference.run(srcs, want, pixels, c, act);
            EXPECT_TRUE(same_numbers(got.values(), want.values()))
                << variant.name << " c=" << c << " srcs=" << count << " gap=" << gap;
            EXPECT_TRUE(got.gaps_untouched()) << variant.name << " c=" << c << " gap=" << gap;
          }
        }
      }
    }
  }
}

// Factors per channel (stride 0), per pixel (one channel) and of the same shape.
TEST(Mul, EveryVariantEqualsReference) {
  const Rng rng;
  const auto reference = mul_f32_variants().back();
  const std::int64_t pixels = 3;
  for (const auto& variant : supported(mul_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t channels : sizes_around({4, 8, 16, 64})) {
      const auto c = static_cast<std::int64_t>(channels);
      for (const std::int64_t gap : {0, 3}) {
        const Plane a(pixels, c, gap, rng.specials(channels * 3));
        const Plane same(pixels, c, gap, rng.specials(channels * 3)), factors(pixels, 1, gap, rng.specials(3));
        const Pixels same_shape = same, per_channel{same_shape.data, 0}, per_pixel = factors;
        for (const Pixels b : {same_shape, per_channel, per_pixel}) {
          const bool whole_pixel = b.data == per_pixel.data;
          Plane got(pixels, c, gap), want(pixels, c, gap);
          variant.run(a, b, whole_pixel, got, pixels, c, kLinear);
          reference.run(a, b, whole_pixel, want, pixels, c, kLinear);
          EXPECT_TRUE(same_numbers(got.values(), want.values())) << variant.name << " c=" << c << " gap=" << gap;
          EXPECT_TRUE(got.gaps_untouched()) << variant.name << " c=" << c << " gap=" << gap;
        }
      }
    }
  }
}

// The activation is the one of kernels/activation: the same bits as applying that variant afterwards.
TEST(Elementwise, ActivatesAsTheActivationKernelDoes) {
  const Rng rng;
  const std::size_t n = 77;
  const std::vector<float> a = rng.floats(n, -5, 5), b = rng.floats(n, -2, 2);
  const Pixels pa{a.data(), 77}, pb{b.data(), 77};
  const auto cpu = CpuInfo::detect();
  const auto adds = supported(add_f32_variants(), cpu);
  const auto muls = supported(mul_f32_variants(), cpu);
  const auto activations = supported(activate_f32_variants(), cpu);
  ASSERT_EQ(adds.size(), activations.size());
  for (std::size_t v = 0; v < adds.size(); ++v) {
    for (const Activation kind : {Activation::mish, Activation::silu, Activation::logistic, Activation::tanh}) {
      const ActivationSpec act{kind, 0.1f};
      std::vector<float> sum(n), product(n), want_sum(n), want_product(n);
      const std::vector<Pixels> both{pa, pb};
      adds[v].run(both, {sum.data(), 77}, 1, 77, act);
      muls[v].run(pa, pb, false, {product.data(), 77}, 1, 77, act);
      for (std::size_t i = 0; i < n; ++i) want_sum[i] = a[i] + b[i], want_product[i] = a[i] * b[i];
      activations[v].run(want_sum.data(), want_sum.data(), n, act);
      activations[v].run(want_product.data(), want_product.data(), n, act);
      EXPECT_EQ(sum, want_sum) << adds[v].name;
      EXPECT_EQ(product, want_product) << muls[v].name;
    }
  }
}

TEST(Elementwise, MayOverwriteASource) {
  const Rng rng;
  for (const auto& variant : supported(add_f32_variants(), CpuInfo::detect())) {
    const std::vector<float> a = rng.integers(3 * 37, -100, 100), b = rng.integers(3 * 37, -100, 100);
    Plane pa(3, 37, 2, a);
    const Plane pb(3, 37, 2, b);
    const std::vector<Pixels> srcs{pa, pb};
    variant.run(srcs, pa, 3, 37, kLinear);
    std::vector<float> want(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) want[i] = a[i] + b[i];
    EXPECT_EQ(pa.values(), want) << variant.name;
  }
}

}  // namespace
}  // namespace tessera
