#include <gmock/gmock.h>

#include <limits>

#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::bytes_of;
using fixtures::decoded;
using fixtures::error_of;
using fixtures::file;
using fixtures::pixels_are;
using fixtures::same_pixels;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A bitmap made by hand, little-endian fields in order.
struct Bmp {
  std::int32_t width = 2, height = 2;
  std::uint16_t bits = 24;
  std::uint32_t compression = 0;
  std::vector<std::uint32_t> after_header;  // masks or palette
  std::string pixels;
  std::uint32_t header_bytes = 40, colors_used = 0;

  std::vector<std::byte> bytes() const {
    std::string out = "BM";
    const auto put = [&out](std::uint32_t v, int count) {
      for (; count > 0; --count, v >>= 8) out += static_cast<char>(v);  // one byte at a time: count may exceed 4
    };
    const auto raster = static_cast<std::uint32_t>(54 + 4 * after_header.size());
    put(0, 8);
    put(raster, 4);
    put(header_bytes, 4);
    put(static_cast<std::uint32_t>(width), 4);
    put(static_cast<std::uint32_t>(height), 4);
    put(1, 2);
    put(bits, 2);
    put(compression, 4);
    put(0, 12);
    put(colors_used, 4);
    put(0, 4);
    for (const std::uint32_t v : after_header) put(v, 4);
    return bytes_of(out + pixels);
  }
};

constexpr std::uint32_t kRed = 0xFF0000, kGreen = 0x00FF00, kBlue = 0x0000FF, kBlack = 0;

/// One letter per pixel, rows from the top.
std::string letters(const Image& image) {
  std::string out;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const Rgb c = image.pixel(x, y);
      out += c == Rgb{255, 0, 0} ? 'r' : c == Rgb{0, 255, 0} ? 'g' : c == Rgb{0, 0, 255} ? 'b' : c == Rgb{} ? '.' : '?';
    }
    out += '/';
  }
  return out;
}

TEST(Bmp, TrueColor) {
  for (const char* name : {"24.bmp", "os2_24.bmp", "32_v5.bmp"}) {
    EXPECT_TRUE(pixels_are(decoded(file(name)), 16, 12, fixtures::base_color)) << name;
  }
}

TEST(Bmp, FifteenAndSixteenBits) {
  // Five bits are steps of 255 / 31 = 8.2; encoders cut or round.
  for (const char* name : {"555.bmp", "565.bmp"}) {
    EXPECT_TRUE(pixels_are(decoded(file(name)), 16, 12, fixtures::base_color, 8)) << name;
  }
}

TEST(Bmp, PalettesAndRunLengths) {
  const Image gray = decoded(file("p5.pgm"));
  EXPECT_TRUE(same_pixels(decoded(file("8.bmp")), gray));
  EXPECT_TRUE(same_pixels(decoded(file("rle8.bmp")), gray));
  EXPECT_TRUE(same_pixels(decoded(file("4.bmp")), gray, 40));  // eight colors
}

TEST(Bmp, TopDownAndBottomUp) {
  const std::string rows(
      "\xFF\0\0\0\xFF\0\0\0"
      "\0\0\xFF\0\0\0\0\0",
      16);  // bg, r.
  EXPECT_EQ(letters(decoded(Bmp{.pixels = rows}.bytes())), "r./bg/");
  EXPECT_EQ(letters(decoded(Bmp{.height = -2, .pixels = rows}.bytes())), "bg/r./");
}

TEST(Bmp, PaddingAfterTheLastRowMayBeMissing) {
  const std::string rows(
      "\xFF\0\0\0\xFF\0\0\0"
      "\0\0\xFF\0\0\0",
      14);
  EXPECT_EQ(letters(decoded(Bmp{.pixels = rows}.bytes())), "r./bg/");
}

TEST(Bmp, OneBitPaletteHasTheLeftPixelHighest) {
  const Bmp bmp{.width = 9, .height = 1, .bits = 1, .after_header = {kBlue, kRed}, .pixels = {"\xA1\x80\0\0", 4}};
  EXPECT_EQ(letters(decoded(bmp.bytes())), "rbrbbbbrr/");
}

TEST(Bmp, MasksOfAnyWidth) {
  // 10 bits of red at the top, 11 of green, 1 of blue at the bottom.
  Bmp bmp{.width = 3, .height = 1, .bits = 32, .compression = 3, .after_header = {0xFFC00000, 0x3FF800, 1}};
  bmp.pixels = std::string(
      "\0\0\xC0\xFF"
      "\0\xF8\x3F\0"
      "\1\0\0\0",
      12);
  EXPECT_EQ(letters(decoded(bmp.bytes())), "rgb/");
}

TEST(Bmp, RunLengthsOfEightBits) {
  Bmp bmp{.width = 4, .height = 3, .bits = 8, .compression = 1, .after_header = {kBlack, kRed, kGreen, kBlue}};
  // Bottom row: 3 red, then end of line; skip one right and one up; three literal pixels (padded); end.
  bmp.pixels = std::string(
      "\3\1\0\0"
      "\0\2\1\1"
      "\0\3\1\2\3\0"
      "\0\1",
      16);
  EXPECT_EQ(letters(decoded(bmp.bytes())), ".rgb/..../rrr./");
}

TEST(Bmp, RunLengthsOfFourBits) {
  Bmp bmp{.width = 5, .height = 2, .bits = 4, .compression = 2, .after_header = {kBlack, kRed, kGreen, kBlue}};
  // Five alternating green and blue; end of line; four literal pixels r g b . ; end.
  bmp.pixels = std::string(
      "\5\x23\0\0"
      "\0\4\x12\x30"
      "\0\1",
      10);
  bmp.colors_used = 4;
  EXPECT_EQ(letters(decoded(bmp.bytes())), "rgb../gbgbg/");
}

TEST(Bmp, RunLengthsThatDoNotFit) {
  Bmp bmp{.width = 4, .height = 2, .bits = 8, .compression = 1, .after_header = {kBlack, kRed}, .colors_used = 2};
  for (const std::string& code : {std::string("\5\1\0\1", 4), std::string("\0\5\1\1\1\1\1\0", 8),
                                  std::string("\0\2\5\0", 4), std::string("\0\2\0\3", 4)}) {
    bmp.pixels = code;
    EXPECT_EQ(error_of(bmp.bytes()), "corrupt: bmp: a run length leaves the picture");
  }
  for (const std::string& code : {std::string("\4\1", 2), std::string("\0\2\1", 3), std::string("\0\4\1\1\1", 5)}) {
    bmp.pixels = code;
    EXPECT_EQ(error_of(bmp.bytes()), "corrupt: bmp: the file ends early: run lengths stop before the picture does");
  }
  bmp.height = -2;
  EXPECT_EQ(error_of(bmp.bytes()), "corrupt: bmp: run lengths in a top-down picture");
}

TEST(Bmp, WhatIsRefused) {
  EXPECT_EQ(error_of(bytes_of("BM12345")), "corrupt: bmp: the file ends inside its header");
  EXPECT_EQ(error_of(Bmp{.header_bytes = 20}.bytes()),
            "unsupported: bmp: header of 20 bytes, known are 12 and 40 to 124");
  EXPECT_EQ(error_of(Bmp{.bits = 2}.bytes()), "unsupported: bmp: 2 bits per pixel with compression 0 is not read");
  EXPECT_EQ(error_of(Bmp{.compression = 4}.bytes()),
            "unsupported: bmp: 24 bits per pixel with compression 4 is not read");
  EXPECT_EQ(error_of(Bmp{.width = -3}.bytes()), "corrupt: bmp: picture of -3x2 pixels, want at least 1x1");
  EXPECT_EQ(error_of(Bmp{.height = 0}.bytes()), "corrupt: bmp: picture of 2x0 pixels, want at least 1x1");
  EXPECT_THAT(error_of(Bmp{.height = std::numeric_limits<std::int32_t>::min()}.bytes()),
              StartsWith("limit_exceeded: bmp: picture of 2x2147483648 pixels"));
  EXPECT_EQ(error_of(Bmp{.bits = 32, .compression = 3, .after_header = {0xFF00FF, 0xFF00, 0xFF}}.bytes()),
            "corrupt: bmp: color mask 16711935 is not one run of bits inside the pixel");
  EXPECT_EQ(error_of(Bmp{.bits = 16, .compression = 3, .after_header = {0x1F0000, 0xFF00, 0xFF}}.bytes()),
            "corrupt: bmp: color mask 2031616 is not one run of bits inside the pixel");
  EXPECT_EQ(error_of(Bmp{.width = 20000, .height = 10000, .pixels = "none"}.bytes()),
            "corrupt: bmp: the file ends early: the pixels take 600000000 bytes from byte 54, the file has 58");
  const Bmp beyond{.width = 1, .height = 1, .bits = 8, .after_header = {kRed}, .pixels = {"\1\0\0\0", 4}};
  EXPECT_EQ(error_of(beyond.bytes()), "corrupt: bmp: a pixel of color 1, the palette has 1");
}

}  // namespace
}  // namespace tessera
