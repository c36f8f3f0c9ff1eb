#include "kernels/softmax/softmax.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/test_support.h"

namespace tessera {
namespace {

void expect_near_reference(const char* variant, std::vector<float> got, std::vector<float> want,
                           const std::vector<float>& src, float greatest) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    // The bound of softmax.h, plus the underflow it allows.
    const double relative = 6e-7 + 0x1p-24 * (2 + std::fabs(src[i] - greatest));
    ASSERT_NEAR(got[i], want[i], relative * want[i] + 1.2e-38) << variant << " c=" << got.size() << " i=" << i;
  }
}

TEST(Softmax, EveryVariantStaysWithinTheBoundOfTheReference) {
  const Rng rng;
  const auto reference = softmax_f32_variants().back();
  for (const auto& variant : supported(softmax_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t channels : sizes_around({4, 8, 16, 64})) {
      if (channels == 0) continue;
      for (const float scale : {0.01f, 5.0f, 80.0f, 3000.0f}) {
        const auto c = static_cast<std::int64_t>(channels);
        std::vector<float> values = rng.floats(channels, -scale, scale);
        for (float& v : values) v -= scale;  // all below zero: lanes beyond the end must not count as 0
        const Plane src(1, c, 5, values);
        Plane got(1, c, 3), want(1, c, 3);
        variant.run(src, got, 1, c);
        reference.run(src, want, 1, c);
        expect_near_reference(variant.name, got.values(), want.values(), values,
                              *std::max_element(values.begin(), values.end()));
        EXPECT_TRUE(got.gaps_untouched()) << variant.name << " c=" << c;
      }
    }
  }
}

TEST(Softmax, SimdVariantsGiveTheSameNumbersInPlaceToo) {
  const Rng rng;
  const std::vector<float> values = rng.floats(7 * 83, -20, 20);
  std::vector<float> first;
  for (const auto& variant : supported(softmax_f32_variants(), CpuInfo::detect())) {
    Plane apart(7, 83, 1), in_place(7, 83, 1, values);
    variant.run(Plane(7, 83, 1, values), apart, 7, 83);
    variant.run(in_place, in_place, 7, 83);
    EXPECT_EQ(apart.values(), in_place.values()) << variant.name;
    if (variant.isa == Isa::none) continue;
    if (first.empty()) first = apart.values();
    EXPECT_EQ(apart.values(), first) << variant.name;
  }
}

TEST(Softmax, LargeLogitsAndSpecials) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& variant : supported(softmax_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t n : {3u, 20u}) {
      const auto c = static_cast<std::int64_t>(n);
      std::vector<float> src(n, 3e38f), dst(n);
      variant.run({src.data(), c}, {dst.data(), c}, 1, c);
      for (const float v : dst) EXPECT_FLOAT_EQ(v, 1.0f / static_cast<float>(n)) << variant.name;
      src.assign(n, -inf);
      src[1] = 0;
      variant.run({src.data(), c}, {dst.data(), c}, 1, c);
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(dst[i], i == 1 ? 1.0f : 0.0f) << variant.name;
      for (const float rare : {nan, inf}) {
        src.assign(n, 1);
        src[n - 1] = rare;
        variant.run({src.data(), c}, {dst.data(), c}, 1, c);
        for (const float v : dst) EXPECT_TRUE(std::isnan(v)) << variant.name << " " << rare;
      }
      src.assign(n, -inf);
      variant.run({src.data(), c}, {dst.data(), c}, 1, c);
      for (const float v : dst) EXPECT_TRUE(std::isnan(v)) << variant.name;
    }
  }
}

}  // namespace
}  // namespace tessera
