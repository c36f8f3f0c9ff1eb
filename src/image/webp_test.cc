#include <gmock/gmock.h>

#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::decoded;
using fixtures::error_of;
using fixtures::file;
using fixtures::pixels_are;
using ::testing::StartsWith;

TEST(Webp, LosslessAndLossy) {
  EXPECT_TRUE(pixels_are(decoded(file("lossless.webp")), 16, 12, fixtures::base_color));
  // Color at half resolution and VP8's limited range: a step of 20 between rows is averaged, plus quantisation.
  EXPECT_TRUE(pixels_are(decoded(file("lossy.webp")), 16, 12, fixtures::smooth_color, 20));
}

TEST(Webp, AlphaShowsTheBackground) {
  DecodeOptions options;
  options.background = {10, 200, 90};
  const Image png = decoded(file("rgba8.png"), options);  // the same picture through another library
  EXPECT_TRUE(fixtures::same_pixels(decoded(file("alpha.webp"), options), png));
}

TEST(Webp, AnimationGivesItsFirstFrame) {
  EXPECT_TRUE(pixels_are(decoded(file("animated.webp")), 16, 12, fixtures::base_color));
}

TEST(Webp, EndingEarlyIsAnError) {
  for (const char* name : {"lossless.webp", "lossy.webp", "alpha.webp"}) {
    auto bytes = file(name);
    bytes.resize(bytes.size() - bytes.size() / 3);
    EXPECT_EQ(error_of(bytes), "corrupt: webp: the file ends early") << name;
  }
  auto bytes = file("animated.webp");
  bytes.resize(bytes.size() / 4);
  EXPECT_EQ(error_of(bytes), "corrupt: webp: the first frame of the animation cannot be read");
}

TEST(Webp, DamageIsAnError) {
  auto bytes = file("lossless.webp");
  bytes[12] = std::byte{'X'};  // the first chunk's name
  EXPECT_EQ(error_of(bytes), "corrupt: webp: the bitstream is damaged");
}

}  // namespace
}  // namespace tessera
