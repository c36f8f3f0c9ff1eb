#include "kernels/copy/copy.h"

#include <gtest/gtest.h>

#include "kernels/test_support.h"

namespace tessera {
namespace {

TEST(Copy, MovesChannelsAndNothingElse) {
  const Rng rng;
  for (const auto& variant : supported(copy_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t c : sizes_around({4, 8, 16, 64})) {
      for (const std::int64_t gap : {0, 1, 16}) {
        const auto channels = static_cast<std::int64_t>(c);
        const std::int64_t pixels = 5;
        const std::vector<float> values = rng.specials(c * 5);
        const Plane src(pixels, channels, gap, values);
        Plane narrow(pixels, channels, 0), wide(pixels, channels, 7);
        variant.run(src, narrow, pixels, channels);
        variant.run(src, wide, pixels, channels);
        EXPECT_TRUE(same_numbers(narrow.values(), values)) << variant.name << " c=" << c << " gap=" << gap;
        EXPECT_TRUE(same_numbers(wide.values(), values)) << variant.name << " c=" << c << " gap=" << gap;
        EXPECT_TRUE(narrow.gaps_untouched() && wide.gaps_untouched()) << variant.name << " c=" << c << " gap=" << gap;
      }
    }
  }
}

}  // namespace
}  // namespace tessera
