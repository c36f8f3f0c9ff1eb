#include <gmock/gmock.h>

#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::bytes_of;
using fixtures::decoded;
using fixtures::error_of;
using fixtures::file;
using fixtures::pixels_are;
using fixtures::same_pixels;

TEST(Pnm, ColorBinaryPlainAndSixteenBits) {
  for (const char* name : {"p6.ppm", "p3.ppm", "p6_16.ppm"}) {
    EXPECT_TRUE(pixels_are(decoded(file(name)), 16, 12, fixtures::base_color)) << name;
  }
}

TEST(Pnm, GrayBinaryPlainAndSixteenBits) {
  const Image gray = decoded(file("p5.pgm"));
  for (std::size_t i = 0; i < gray.pixels.size(); i += 3) ASSERT_EQ(gray.pixels[i], gray.pixels[i + 2]);
  EXPECT_TRUE(same_pixels(decoded(file("p2.pgm")), gray));
  EXPECT_TRUE(same_pixels(decoded(file("p5_16.pgm")), gray));
}

TEST(Pnm, CommentsAndOddSpacing) {
  const Image image = decoded(bytes_of("P3# one\n 1 # two\r#three\n\t2\n255\n1 2 3\n4\n5   6"));
  EXPECT_TRUE(pixels_are(image, 1, 2, [](int, int y) { return y == 0 ? Rgb{1, 2, 3} : Rgb{4, 5, 6}; }));
}

TEST(Pnm, SamplesAreSpreadOver255) {
  const Image image = decoded(bytes_of("P2 4 1 7 0 1 4 7"));  // 255 v / 7, to the nearest
  const int want[] = {0, 36, 146, 255};
  for (int x = 0; x < 4; ++x) EXPECT_EQ(image.pixel(x, 0).g, want[x]);
}

TEST(Pnm, TheRasterBeginsAfterOneWhiteSpace) {
  const Image image = decoded(bytes_of("P5 2 1 255\n\n!"));  // the second line feed is a pixel
  EXPECT_EQ(image.pixel(0, 0).r, 10);
  EXPECT_EQ(image.pixel(1, 0).r, 33);
}

TEST(Pnm, WhatIsRefused) {
  EXPECT_EQ(error_of(bytes_of("P4 8 1 \xFF")), "unsupported: pnm: kind P4 is not read, want P2, P3, P5 or P6");
  EXPECT_EQ(error_of(bytes_of("P7\nWIDTH 1\n")), "unsupported: pnm: kind P7 is not read, want P2, P3, P5 or P6");
  const char* header = "corrupt: pnm: the header is not width, height and largest value";
  EXPECT_EQ(error_of(bytes_of("P6 1")), header);
  EXPECT_EQ(error_of(bytes_of("P6 -1 1 255 ")), header);
  EXPECT_EQ(error_of(bytes_of("P6 99999999999 1 255 ")), header);
  EXPECT_EQ(error_of(bytes_of("P6 1 1 0 abc")), "corrupt: pnm: largest value 0, want 1 to 65535");
  EXPECT_EQ(error_of(bytes_of("P6 1 1 65536 abc")), "corrupt: pnm: largest value 65536, want 1 to 65535");
  EXPECT_EQ(error_of(bytes_of("P6 0 1 255 ")), "corrupt: pnm: picture of 0x1 pixels, want at least 1x1");
  EXPECT_EQ(error_of(bytes_of("P6 9000 9000 255 abc")),
            "corrupt: pnm: the file ends early: 9000x9000 pixels cannot be held in 20 bytes");
  EXPECT_EQ(error_of(bytes_of("P2 3 1 255 200 200 ")), "corrupt: pnm: the file ends early: samples are missing");
  EXPECT_EQ(error_of(bytes_of("P2 2 1 255 20x0 ")), "corrupt: pnm: the raster holds something that is not a number");
  EXPECT_EQ(error_of(bytes_of("P2 2 1 7 1 8")), "corrupt: pnm: a sample of 8, above the header's largest value 7");
  EXPECT_EQ(error_of(bytes_of("P5 2 1 7 \1\x09")), "corrupt: pnm: a sample of 9, above the header's largest value 7");
}

}  // namespace
}  // namespace tessera
