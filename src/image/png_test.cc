#include <gmock/gmock.h>

#include <algorithm>

#include "image/codec.h"
#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::decoded;
using fixtures::error_of;
using fixtures::file;
using fixtures::pixels_are;
using fixtures::same_pixels;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Png, Color8And16BitsInterlacedOrNot) {
  for (const char* name : {"rgb8.png", "rgb8_adam7.png", "rgb16.png"}) {
    EXPECT_TRUE(pixels_are(decoded(file(name)), 16, 12, fixtures::base_color)) << name;
  }
}

TEST(Png, GrayOfEveryDepth) {
  const Image gray = decoded(file("p5.pgm"));
  EXPECT_TRUE(same_pixels(decoded(file("gray8.png")), gray));
  EXPECT_TRUE(same_pixels(decoded(file("gray16.png")), gray));
  for (const char* name : {"gray4.png", "gray2.png"}) {  // posterised to the nearest of 16 and 4 levels
    const int levels = std::string(name) == "gray4.png" ? 16 : 4;
    const Image image = decoded(file(name));
    EXPECT_TRUE(same_pixels(image, gray, 255 / (levels - 1) / 2 + 2)) << name;
    for (const std::uint8_t v : image.pixels) ASSERT_EQ(v % (255 / (levels - 1)), 0) << name;
  }
  const Image black_and_white = decoded(file("gray1.png"));
  for (const std::uint8_t v : black_and_white.pixels) ASSERT_TRUE(v == 0 || v == 255);
  EXPECT_TRUE(same_pixels(black_and_white, decoded(file("1.bmp"))));
}

TEST(Png, PalettesOfEveryDepth) {
  for (const int bits : {1, 2, 4, 8}) {
    const auto color = [bits](int x, int y) {
      const int i = (x + 16 * y) % (1 << bits);
      return Rgb{static_cast<std::uint8_t>(3 * i), static_cast<std::uint8_t>(255 - i), static_cast<std::uint8_t>(i)};
    };
    EXPECT_TRUE(pixels_are(decoded(file("palette" + std::to_string(bits) + ".png")), 16, 12, color)) << bits;
  }
}

Rgb on_background(Rgb c, int x, Rgb background) {  // the fixtures' alpha is 17 x
  const auto mix = [x](double top, double under) {
    return static_cast<std::uint8_t>((top * 17 * x + under * (255 - 17 * x)) / 255 + 0.5);
  };
  return {mix(c.r, background.r), mix(c.g, background.g), mix(c.b, background.b)};
}

TEST(Png, AlphaShowsTheBackground) {
  for (const Rgb background : {Rgb{255, 255, 255}, Rgb{0, 0, 0}, Rgb{10, 200, 90}}) {
    DecodeOptions options;
    options.background = background;
    EXPECT_TRUE(pixels_are(decoded(file("rgba8.png"), options), 16, 12,
                           [&](int x, int y) { return on_background(fixtures::base_color(x, y), x, background); }));
    EXPECT_TRUE(pixels_are(decoded(file("palette_trns.png"), options), 16, 12, [&](int x, int) {
      const Rgb c{static_cast<std::uint8_t>(3 * x), static_cast<std::uint8_t>(255 - x), static_cast<std::uint8_t>(x)};
      return on_background(c, x, background);
    }));
    EXPECT_TRUE(pixels_are(decoded(file("rgb8_trns.png"), options), 16, 12,
                           [&](int x, int y) { return x == 1 && y == 1 ? background : fixtures::base_color(x, y); }));
    const Image gray = decoded(file("ga8.png"), options);
    EXPECT_EQ(gray.pixel(0, 5), background);
    EXPECT_EQ(gray.pixel(15, 0).r, gray.pixel(15, 0).g);
  }
}

TEST(Png, BlendRoundsToNearest) {
  for (unsigned color = 0; color < 256; color += 5) {
    for (unsigned alpha = 0; alpha < 256; ++alpha) {
      const double exact = (color * alpha + 77.0 * (255 - alpha)) / 255;
      ASSERT_NEAR(image_internal::over(color, alpha, 77), exact, 0.5) << color << " " << alpha;
    }
  }
  EXPECT_EQ(image_internal::over(255, 255, 0), 255);
  EXPECT_EQ(image_internal::over(255, 0, 3), 3);
}

TEST(Png, EndingEarlyIsAnError) {
  auto bytes = file("rgb8.png");
  bytes.resize(bytes.size() / 2);
  EXPECT_THAT(error_of(bytes), StartsWith("corrupt: png: the file ends early: "));
  bytes.resize(12);
  EXPECT_THAT(error_of(bytes), StartsWith("corrupt: png: the file ends early: "));
}

TEST(Png, DamageIsAnError) {
  auto bytes = file("rgb8.png");
  const auto idat = fixtures::bytes_of("IDAT");
  const auto data = std::search(bytes.begin(), bytes.end(), idat.begin(), idat.end());
  ASSERT_NE(data, bytes.end());
  *(data + 20) ^= std::byte{1};
  EXPECT_THAT(error_of(bytes), StartsWith("corrupt: png: "));
  auto header = file("rgb8.png");
  header[19] = std::byte{17};  // the width, under a checksum
  EXPECT_THAT(error_of(header), StartsWith("corrupt: png: "));
}

std::uint32_t crc32(std::span<const std::byte> bytes) {  // ISO 3309, as PNG annex D
  std::uint32_t crc = 0xFFFFFFFF;
  for (const std::byte b : bytes) {
    crc ^= std::to_integer<std::uint32_t>(b);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xEDB88320 ^ crc >> 1 : crc >> 1;
  }
  return ~crc;
}

TEST(Png, HugeDeclaredSizeInASmallFileIsRefusedBeforeAllocating) {
  auto bytes = file("rgb8.png");
  bytes[18] = bytes[22] = std::byte{0x3F};  // 0x3F10 x 0x3F0C, below the limits
  const std::uint32_t crc = crc32(std::span(bytes).subspan(12, 17));
  for (int i = 0; i < 4; ++i) bytes[static_cast<std::size_t>(29 + i)] = std::byte(crc >> (24 - 8 * i));
  EXPECT_EQ(error_of(bytes), "corrupt: png: the file ends early: 16144x16140 pixels cannot be held in " +
                                 std::to_string(bytes.size()) + " bytes");
}

}  // namespace
}  // namespace tessera
