// The font and its drawing: properties that hold at every size, and one glyph as a picture.

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "image/draw.h"
#include "image/fixtures.h"
#include "image/font.h"

namespace tessera {
namespace {

using image_internal::glyph_columns;
using image_internal::glyph_segments;
using image_internal::GlyphCursor;

constexpr Rgb kBlack{0, 0, 0}, kWhite{255, 255, 255};

std::string glyphs_of(std::string_view utf8) {
  std::string out;
  GlyphCursor cursor(utf8);
  for (char c = 0; cursor.next(c);) out += c;
  return out;
}

/// The picture of a text, white on black, one letter per pixel: ' ' none, '.' some, '#' mostly ink.
std::string picture(std::string_view text, int height) {
  Image image(text_width(text, height), height, kBlack);
  draw_text(image, 0, 0, text, height, kWhite);
  std::string out;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const int v = image.pixel(x, y).g;
      out += v < 64 ? ' ' : v < 160 ? '.' : '#';
    }
    out += '\n';
  }
  return out;
}

TEST(Font, EveryStrokeStaysOnTheGrid) {
  for (char c = ' '; c <= '~'; ++c) {
    const auto strokes = image_internal::glyph_strokes(c);
    EXPECT_EQ(strokes.empty(), c == ' ') << c;
    EXPECT_LE(glyph_columns(c), 10) << c;
    for (const auto& s : glyph_segments(c)) {
      for (const float x : {s.x0, s.x1}) EXPECT_TRUE(x >= 0 && x <= 10) << c;
      for (const float y : {s.y0, s.y1}) EXPECT_TRUE(y >= 0 && y <= image_internal::kFontRows) << c;
    }
    for (std::size_t i = 0, run = 0; i <= strokes.size(); ++i) {  // runs of whole points, two or more each
      if (i < strokes.size() && strokes[i] != ' ') {
        EXPECT_THAT(std::string("0123456789abcdefg"), ::testing::HasSubstr(std::string(1, strokes[i]))) << c;
        ++run;
        continue;
      }
      EXPECT_TRUE(run % 2 == 0 && (run >= 4 || strokes.empty())) << c;
      run = 0;
    }
  }
}

TEST(Font, NoTwoCharactersLookAlikeAtAnySize) {
  for (const int height : {11, 13, 16, 24}) {
    std::set<std::string> seen;
    for (char c = ' '; c <= '~'; ++c) {
      EXPECT_TRUE(seen.insert(picture(std::string(1, c), height)).second) << c << " at " << height;
    }
  }
}

TEST(Font, OtherCharactersAreQuestionMarks) {
  EXPECT_EQ(glyphs_of("abc"), "abc");
  EXPECT_EQ(glyphs_of("caf\xC3\xA9!"), "caf?!");
  EXPECT_EQ(glyphs_of("\xE7\x8A\xAC \xF0\x9F\x90\x95."), "? ?.");
  EXPECT_EQ(glyphs_of("a\nb\x7F"), "a?b?");
  EXPECT_EQ(glyphs_of("\x80\x80x"), "??x");  // stray continuation bytes
  EXPECT_EQ(glyphs_of("\xF0\x9F"), "?");     // cut short
  EXPECT_EQ(picture("\xC3\xA9", 14), picture("?", 14));
}

TEST(DrawText, OneGlyphAsAPicture) {
  // 18 pixels of height make the grid unit one pixel.
  EXPECT_EQ(picture("T", 18).substr(0, 12 * 5),
            "########## \n"
            "########## \n"
            "    ##     \n"
            "    ##     \n"
            "    ##     \n");
}

TEST(DrawText, WidthIsTheSumAndGrows) {
  EXPECT_EQ(text_width("", 14), 0);
  EXPECT_EQ(text_width("ab", 14), text_width("a", 14) + text_width("b", 14));
  EXPECT_EQ(text_width("a", 18), 9);  // six columns and a gap of three
  for (int height = 8; height < 100; ++height)
    EXPECT_LE(text_width("person", height), text_width("person", height + 1));
}

TEST(DrawText, StaysWithinItsWidthAndHeight) {
  for (const int height : {9, 14, 23, 57}) {
    for (char c = '!'; c <= '~'; ++c) {
      const std::string one(1, c);
      const int width = text_width(one, height);
      Image image(width + 20, height + 20, kBlack);
      draw_text(image, 10, 10, one, height, kWhite);
      int ink = 0;
      for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
          if (image.pixel(x, y) == kBlack) continue;
          ++ink;
          EXPECT_TRUE(x >= 10 && x <= 10 + width && y >= 10 && y < 10 + height)
              << c << " " << height << " " << x << " " << y;
        }
      }
      EXPECT_GT(ink, height / 5) << c << " at " << height;
    }
  }
}

TEST(DrawText, IsClippedToThePicture) {
  for (const auto& [x, y] : {std::pair{-5, -5}, {25, 15}, {-500, 3}, {500, 3}, {3, -500}, {3, 500}}) {
    Image image(30, 20, kBlack);
    draw_text(image, x, y, "Clip", 20, kWhite);  // the address sanitizer watches
    EXPECT_EQ(image.width, 30);
  }
  Image empty;
  draw_text(empty, 0, 0, "x", 12, kWhite);
}

}  // namespace
}  // namespace tessera
