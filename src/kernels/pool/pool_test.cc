#include "kernels/pool/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/test_support.h"

namespace tessera {
namespace {

struct Case {
  int h, w, kh, kw, sh, sw, top, left, bottom, right;
};
// What YOLO networks use (2x2 halving, its last 2x2 with stride 1 and asymmetric padding, the 5, 9 and 13 of SPP), and
// the odd ones: windows wider than the image, strides beyond the window, one row, one column.
constexpr Case kCases[] = {
    {8, 8, 2, 2, 2, 2, 0, 0, 0, 0},  {7, 9, 2, 2, 2, 2, 0, 0, 1, 1},   {6, 6, 2, 2, 1, 1, 0, 0, 1, 1},
    {7, 7, 3, 3, 2, 2, 1, 1, 1, 1},  {9, 5, 3, 3, 1, 1, 1, 1, 1, 1},   {13, 13, 5, 5, 1, 1, 2, 2, 2, 2},
    {6, 7, 9, 9, 1, 1, 4, 4, 4, 4},  {5, 5, 13, 13, 1, 1, 6, 6, 6, 6}, {9, 11, 5, 4, 2, 1, 2, 0, 1, 3},
    {1, 10, 1, 4, 1, 3, 0, 1, 0, 0}, {10, 1, 4, 1, 3, 1, 1, 0, 0, 0},  {12, 12, 2, 2, 5, 5, 0, 0, 0, 0},
    {4, 4, 4, 4, 1, 1, 0, 0, 0, 0},  {28, 26, 8, 8, 2, 2, 3, 3, 4, 4}, {20, 21, 7, 5, 3, 2, 0, 1, 2, 1},
};

std::int64_t positions(int extent, int kernel, int stride, int before, int after) {
  return (extent + before + after - kernel) / stride + 1;
}

std::string name(const Case& k, std::int64_t c, std::int64_t gap) {
  return std::to_string(k.h) + "x" + std::to_string(k.w) + " window " + std::to_string(k.kh) + "x" +
         std::to_string(k.kw) + " c=" + std::to_string(c) + " gap=" + std::to_string(gap);
}

PoolShape shape_of(const Case& k, std::int64_t c) {
  return {k.h, k.w, c, positions(k.w, k.kw, k.sw, k.left, k.right), k.kh, k.kw, k.sh, k.sw, k.top, k.left};
}

Plane run(const Variant<PoolRowF32>& variant, const Case& k, std::int64_t c, std::int64_t gap, const Plane& src,
          bool with_scratch) {
  const PoolShape shape = shape_of(k, c);
  const std::int64_t oh = positions(k.h, k.kh, k.sh, k.top, k.bottom);
  Plane dst(oh * shape.ow, c, gap);
  std::vector<float> scratch(with_scratch ? max_pool_scratch_floats(shape) : 0, kPoison);
  for (std::int64_t oy = 0; oy < oh; ++oy) {
    variant.run(shape, src, oy, {&dst.at(oy * shape.ow, 0), dst.stride()}, scratch.empty() ? nullptr : scratch.data());
  }
  return dst;
}

void expect_equal_to_reference(std::span<const Variant<PoolRowF32>> variants) {
  const Rng rng;
  for (const auto& variant : supported(variants, CpuInfo::detect())) {
    for (const Case& k : kCases) {
      for (const std::int64_t c : {1, 3, 4, 7, 8, 17, 63, 64, 65, 100, 130}) {
        for (const std::int64_t gap : {0, 5}) {
          const Plane src(k.h * k.w, c, gap, rng.specials(static_cast<std::size_t>(k.h * k.w * c)));
          Plane want = run(variants.back(), k, c, gap, src, false);
          for (const bool with_scratch : {false, true}) {
            Plane got = run(variant, k, c, gap, src, with_scratch);
            EXPECT_TRUE(same_numbers(got.values(), want.values())) << variant.name << " " << name(k, c, gap);
            EXPECT_TRUE(got.gaps_untouched()) << variant.name << " " << name(k, c, gap);
          }
        }
      }
    }
  }
}

TEST(MaxPool, EveryVariantEqualsReferenceDirectAndSeparable) { expect_equal_to_reference(max_pool_f32_variants()); }
TEST(AveragePool, EveryVariantEqualsReference) { expect_equal_to_reference(average_pool_f32_variants()); }

TEST(MaxPool, LargeWindowsWithStrideOneAreSeparable) {
  EXPECT_EQ(max_pool_scratch_floats(shape_of(kCases[0], 64)), 0u);
  EXPECT_GT(max_pool_scratch_floats(shape_of({13, 13, 5, 5, 1, 1, 2, 2, 2, 2}, 64)), 0u);
}

// By hand: 3x3 numbers 1..9, 2x2 windows with stride 2 and one column and row of padding behind.
TEST(Pool, PaddingTakesNoPart) {
  const std::vector<float> src{-1, -2, -3, -4, -5, -6, -7, -8, -9};
  const Case k{3, 3, 2, 2, 2, 2, 0, 0, 1, 1};
  const Plane plane(9, 1, 0, src);
  for (const auto& variant : supported(max_pool_f32_variants(), CpuInfo::detect())) {
    EXPECT_EQ(run(variant, k, 1, 0, plane, false).values(), (std::vector<float>{-1, -3, -7, -9})) << variant.name;
  }
  for (const auto& variant : supported(average_pool_f32_variants(), CpuInfo::detect())) {
    EXPECT_EQ(run(variant, k, 1, 0, plane, false).values(), (std::vector<float>{-3, -4.5f, -7.5f, -9})) << variant.name;
  }
}

TEST(MaxPool, PassesNanOver) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Case k{2, 2, 2, 2, 2, 2, 0, 0, 0, 0};
  for (const auto& variant : supported(max_pool_f32_variants(), CpuInfo::detect())) {
    for (int place = 0; place < 4; ++place) {
      std::vector<float> src(4, -5);
      src[static_cast<std::size_t>(place)] = nan;
      EXPECT_EQ(run(variant, k, 1, 0, Plane(4, 1, 0, src), false).values(), (std::vector<float>{-5})) << variant.name;
    }
    EXPECT_EQ(run(variant, k, 1, 0, Plane(4, 1, 0, {nan, nan, nan, nan}), false).values(), (std::vector<float>{-inf}));
  }
}

// SPP as darknet writes it (5, 9, 13 side by side) and as the graph pass does (three of 5 in a row) are one function.
TEST(MaxPool, ThreeOfFiveMakeThirteen) {
  const Rng rng;
  const std::int64_t c = 20;
  const Case five{11, 12, 5, 5, 1, 1, 2, 2, 2, 2}, thirteen{11, 12, 13, 13, 1, 1, 6, 6, 6, 6};
  const Plane src(11 * 12, c, 0, rng.floats(11 * 12 * 20, -3, 3));
  for (const auto& variant : supported(max_pool_f32_variants(), CpuInfo::detect())) {
    const Plane once = run(variant, five, c, 0, src, true);
    const Plane twice = run(variant, five, c, 0, once, true);
    EXPECT_EQ(run(variant, five, c, 0, twice, true).values(), run(variant, thirteen, c, 0, src, true).values())
        << variant.name;
  }
}

TEST(GlobalAverage, StaysWithinItsBoundAndIsOneNumberForAllVariants) {
  const Rng rng;
  const auto variants = supported(global_average_f32_variants(), CpuInfo::detect());
  for (const std::int64_t pixels : {1, 2, 15, 16, 17, 49, 400, 1000}) {
    for (const std::size_t channels : sizes_around({4, 8, 16, 64})) {
      const auto c = static_cast<std::int64_t>(channels);
      const std::vector<float> values = rng.floats(channels * static_cast<std::size_t>(pixels), -3, 3);
      Plane src(pixels, c, 5, values);
      std::vector<float> first;
      for (const auto& variant : variants) {
        std::vector<float> got(channels + 1, kPoison);
        variant.run(src, pixels, c, got.data());
        ASSERT_EQ(got.back(), kPoison) << variant.name << " c=" << c;
        got.pop_back();
        const bool reference = variant.run == variants.back().run;
        if (first.empty()) first = got;
        EXPECT_TRUE(reference || got == first) << variant.name << " c=" << c << " pixels=" << pixels;
        for (std::int64_t i = 0; i < c; ++i) {
          double sum = 0, magnitude = 0;
          for (std::int64_t p = 0; p < pixels; ++p) sum += src.at(p, i), magnitude += std::fabs(src.at(p, i));
          const double count = static_cast<double>(pixels);
          const double tolerance = (16 + std::log2(count) + 1) * 0x1p-24 * magnitude / count;
          ASSERT_NEAR(got[static_cast<std::size_t>(i)], sum / count, tolerance) << variant.name << " pixels=" << pixels;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
