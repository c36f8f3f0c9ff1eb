#include "kernels/upsample/upsample.h"

#include <gtest/gtest.h>

#include "kernels/test_support.h"

namespace tessera {
namespace {

TEST(Upsample, RepeatsEachPixel) {
  const std::vector<float> src{1, 2, 3, 4};  // two pixels of two channels
  for (const auto& variant : supported(upsample_f32_variants(), CpuInfo::detect())) {
    std::vector<float> dst(2 * 4 * 2);
    variant.run({2, 2, 2, 2, 0.5f}, {src.data(), 2}, {dst.data(), 2}, 8);
    const std::vector<float> row{0.5f, 1, 0.5f, 1, 1.5f, 2, 1.5f, 2};
    EXPECT_EQ(std::vector<float>(dst.begin(), dst.begin() + 8), row) << variant.name;
    EXPECT_EQ(std::vector<float>(dst.begin() + 8, dst.end()), row) << variant.name;
  }
}

TEST(Upsample, EveryVariantEqualsReference) {
  const Rng rng;
  const auto reference = upsample_f32_variants().back();
  for (const auto& variant : supported(upsample_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t channels : sizes_around({4, 8, 16, 64})) {
      const auto c = static_cast<std::int64_t>(channels);
      for (const UpsampleShape shape : {UpsampleShape{3, c, 2, 2, 1}, {1, c, 1, 3, 1}, {5, c, 3, 1, -0.3f}}) {
        const std::int64_t width = shape.w * shape.factor_w, pixels = width * shape.factor_h;
        for (const std::int64_t gap : {0, 5}) {
          const Plane src(shape.w, c, gap, rng.specials(channels * static_cast<std::size_t>(shape.w)));
          Plane got(pixels, c, gap), want(pixels, c, gap);
          variant.run(shape, src, got, width * got.stride());
          reference.run(shape, src, want, width * want.stride());
          EXPECT_TRUE(same_numbers(got.values(), want.values())) << variant.name << " c=" << c << " gap=" << gap;
          EXPECT_TRUE(got.gaps_untouched()) << variant.name << " c=" << c << " gap=" << gap;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
