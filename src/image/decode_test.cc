// What all formats share: recognition, limits, orientation, probing. Format features are in *_test.cc beside each
// codec.

#include <gmock/gmock.h>

#include <limits>

#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::bytes_of;
using fixtures::decoded;
using fixtures::error_of;
using fixtures::file;
using ::testing::HasSubstr;

constexpr const char* kOneOfEach[] = {"24.bmp", "baseline.jpg", "rgb8.png", "p6.ppm", "lossless.webp"};

TEST(DecodeImage, TellsFormatsByContent) {
  const ImageFormat want[] = {ImageFormat::bmp, ImageFormat::jpeg, ImageFormat::png, ImageFormat::pnm,
                              ImageFormat::webp};
  for (std::size_t i = 0; i < std::size(want); ++i) {
    const auto info = probe_image(file(kOneOfEach[i]));
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->format, want[i]) << kOneOfEach[i];
    EXPECT_EQ(info->width, 16) << kOneOfEach[i];
    EXPECT_EQ(info->height, 12) << kOneOfEach[i];
    EXPECT_EQ(info->orientation, 1) << kOneOfEach[i];
  }
}

TEST(DecodeImage, NamesOfFormats) {
  EXPECT_STREQ(to_string(ImageFormat::jpeg), "jpeg");
  EXPECT_STREQ(to_string(ImageFormat::pnm), "pnm");
}

TEST(DecodeImage, RefusesOtherBytes) {
  EXPECT_EQ(error_of({}), "corrupt: image: the file is empty");
  EXPECT_EQ(error_of(bytes_of("GIF89a....")),
            "unsupported: image: the first bytes are of no known format; readable are bmp, jpeg, png, pnm, webp");
}

TEST(DecodeImage, LimitsHoldForEveryFormat) {
  for (const char* name : kOneOfEach) {
    const auto bytes = file(name);
    DecodeOptions options;
    options.limits.max_pixels = 16 * 12;
    EXPECT_EQ(error_of(bytes, options), "no error") << name;
    options.limits.max_pixels = 16 * 12 - 1;
    EXPECT_THAT(error_of(bytes, options), HasSubstr("picture of 16x12 pixels, the limit is 191 pixels in all")) << name;
    EXPECT_FALSE(probe_image(bytes, options).has_value()) << name;

    options = {};
    options.limits.max_side = 15;
    EXPECT_THAT(error_of(bytes, options), HasSubstr("limit_exceeded: ")) << name;
    EXPECT_THAT(error_of(bytes, options), HasSubstr("picture of 16x12 pixels, the limit is 15 per side")) << name;

    options = {};
    options.limits.max_file_bytes = static_cast<std::int64_t>(bytes.size()) - 1;
    EXPECT_THAT(error_of(bytes, options), HasSubstr("limit_exceeded: image: file of ")) << name;
  }
}

// Every beginning of every file, and none of them may be taken for the whole.
TEST(DecodeImage, NoBeginningOfAFilePassesForTheFile) {
  for (const char* name : {"24.bmp", "rle8.bmp", "565.bmp", "4.bmp", "progressive.jpg", "rgb8.png", "rgb8_adam7.png",
                           "p6_16.ppm", "lossless.webp", "lossy.webp", "alpha.webp"}) {
    const auto bytes = file(name);
    const Image whole = decoded(bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto part = decode_image(std::span(bytes).first(size));
      if (!part.has_value()) continue;
      // What follows the last pixel (an end mark, padding) may be missing.
      EXPECT_TRUE(fixtures::same_pixels(*part, whole)) << name << " cut to " << size << " of " << bytes.size();
    }
  }
}

TEST(DecodeImage, TooLittleMemoryIsAnErrorNotAnException) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the program when an allocation is refused";
#endif
  auto bytes = file("rle8.bmp");  // run lengths: nothing in the file bounds its size
  for (const std::size_t i : {18, 19, 20, 22, 23, 24}) bytes[i] = std::byte{0xFF};
  bytes[21] = bytes[25] = std::byte{0x7F};
  DecodeOptions options;
  options.limits.max_side = std::numeric_limits<int>::max();
  options.limits.max_pixels = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(error_of(bytes, options), "limit_exceeded: bmp: not enough memory for 2147483647x2147483647 pixels");
}

TEST(DecodeImage, AllEightOrientationsComeOutUpright) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const auto bytes = file("orientation" + std::to_string(orientation) + ".jpg");
    const auto info = probe_image(bytes);
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->orientation, orientation);
    EXPECT_EQ(info->width, 16);
    EXPECT_EQ(info->height, 12);
    const Image image = decoded(bytes);
    EXPECT_TRUE(fixtures::pixels_are(image, 16, 12, fixtures::smooth_color, 12)) << "orientation " << orientation;
    EXPECT_EQ(image.full_width, 16);
    EXPECT_EQ(image.full_height, 12);
  }
}

TEST(DecodeImage, OrientationOfPngAndWebp) {
  EXPECT_TRUE(fixtures::pixels_are(decoded(file("orientation6.png")), 16, 12, fixtures::base_color));
  EXPECT_TRUE(fixtures::pixels_are(decoded(file("orientation8.webp")), 16, 12, fixtures::base_color));
}

TEST(DecodeImage, OrientationCanBeLeftAlone) {
  DecodeOptions options;
  options.apply_orientation = false;
  const auto stored = [](int x, int y) { return fixtures::base_color(15 - y, x); };  // 6: a quarter turn is missing
  EXPECT_TRUE(fixtures::pixels_are(decoded(file("orientation6.png"), options), 12, 16, stored));
  EXPECT_EQ(probe_image(file("orientation6.png"), options)->width, 12);
}

TEST(Image, OneColorAndEmpty) {
  const Image image(3, 2, {1, 2, 3});
  EXPECT_TRUE(fixtures::pixels_are(image, 3, 2, [](int, int) { return Rgb{1, 2, 3}; }));
  EXPECT_EQ(Image(0, 0).pixels.size(), 0u);
  EXPECT_EQ(Image().width, 0);
}

}  // namespace
}  // namespace tessera
