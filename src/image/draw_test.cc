#include "image/draw.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "image/fixtures.h"

namespace tessera {
namespace {

constexpr Rgb kWhite{255, 255, 255}, kInk{10, 20, 30};

int count(const Image& image, Rgb color) {
  int n = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) n += image.pixel(x, y) == color;
  }
  return n;
}

bool contains(PixelRect r, int x, int y) { return x >= r.left && x < r.right && y >= r.top && y < r.bottom; }

TEST(FillRect, FillsWhatLiesInside) {
  const PixelRect rects[] = {{2, 3, 7, 5}, {-4, -4, 3, 3}, {8, 6, 99, 99},   {-9, 2, 99, 4},
                             {5, 5, 5, 9}, {6, 4, 2, 8},   {50, 50, 60, 60}, {-60, -60, -50, -50}};
  for (const PixelRect rect : rects) {
    Image image(10, 8, kWhite);
    fill_rect(image, rect, kInk);
    EXPECT_TRUE(fixtures::pixels_are(image, 10, 8, [&](int x, int y) { return contains(rect, x, y) ? kInk : kWhite; }));
  }
}

TEST(DrawRect, IsAFrameDrawnInwards) {
  for (const int thickness : {1, 2, 3}) {
    Image image(20, 15, kWhite);
    const PixelRect rect{3, 2, 17, 12};
    draw_rect(image, rect, thickness, kInk);
    const PixelRect hole{3 + thickness, 2 + thickness, 17 - thickness, 12 - thickness};
    EXPECT_TRUE(fixtures::pixels_are(image, 20, 15, [&](int x, int y) {
      return contains(rect, x, y) && !contains(hole, x, y) ? kInk : kWhite;
    })) << thickness;
  }
}

TEST(DrawRect, ThinBoxesAreFilledAndFarOnesClipped) {
  Image image(10, 10, kWhite);
  draw_rect(image, {4, 1, 5, 9}, 4, kInk);
  EXPECT_EQ(count(image, kInk), 8);
  Image clipped(10, 10, kWhite);
  draw_rect(clipped, {-5, -5, 6, 6}, 2, kInk);
  EXPECT_EQ(count(clipped, kInk), 2 * 6 + 4 * 2);  // only the right and bottom sides are in the picture
  draw_rect(clipped, {3, 3, 3, 3}, 2, kInk);       // nothing to draw
  EXPECT_EQ(count(clipped, kInk), 20);
}

TEST(ClassColor, DistinctAndFixed) {
  // Any two of 80 classes differ by at least this much in some channel: told apart side by side.
  for (int a = 0; a < 80; ++a) {
    for (int b = 0; b < a; ++b) {
      const Rgb p = class_color(a), q = class_color(b);
      EXPECT_GE(std::max({std::abs(p.r - q.r), std::abs(p.g - q.g), std::abs(p.b - q.b)}), 8) << a << " " << b;
    }
  }
  EXPECT_EQ(class_color(0), (Rgb{255, 13, 13}));
  EXPECT_EQ(class_color(7), class_color(7));
  class_color(-1);
  class_color(2'000'000'000);
}

TEST(TextColor, ReadsOnAnything) {
  EXPECT_EQ(text_color({0, 0, 0}), kWhite);
  EXPECT_EQ(text_color(kWhite), Rgb{});
  EXPECT_EQ(text_color({255, 255, 0}), Rgb{});
  EXPECT_EQ(text_color({0, 0, 160}), kWhite);
}

TEST(DrawStyle, GrowsWithThePicture) {
  EXPECT_EQ(draw_style(1, 1).thickness, 1);
  EXPECT_EQ(draw_style(640, 480).thickness, 2);
  EXPECT_EQ(draw_style(3000, 4000).thickness, 13);
  EXPECT_EQ(draw_style(320, 240).text_height, 11);
  EXPECT_EQ(draw_style(4000, 3000).text_height, 80);
}

TEST(LabeledBox, StandsOnTheBox) {
  Image image(200, 100, kWhite);
  const PixelRect label = draw_labeled_box(image, {40, 50, 120, 90}, "dog 0.9", kInk, {2, 14});
  EXPECT_EQ(label.left, 40);
  EXPECT_EQ(label.bottom, 50);
  EXPECT_GT(label.width(), text_width("dog 0.9", 14));
  EXPECT_EQ(image.pixel(label.left, label.top), kInk);
  EXPECT_EQ(image.pixel(40, 70), kInk);
  EXPECT_EQ(image.pixel(80, 70), kWhite);
}

TEST(LabeledBox, LabelStaysInsideThePicture) {
  for (const PixelRect box : {PixelRect{40, 5, 120, 90},
                              {190, 50, 260, 90},
                              {-30, -20, 20, 40},
                              {150, 95, 220, 140},
                              {500, 500, 600, 600},
                              {-600, -600, -500, -500},
                              {0, 0, 200, 100}}) {
    for (const int height : {9, 14, 40}) {
      Image image(200, 100, kWhite);
      const PixelRect label = draw_labeled_box(image, box, "bicycle", kInk, {2, height});
      EXPECT_GE(label.left, 0);
      EXPECT_GE(label.top, 0);
      EXPECT_LE(label.right, 200);
      EXPECT_LE(label.bottom, 100);
      EXPECT_GT(label.width(), 0);
    }
  }
}

TEST(LabeledBox, LongLabelsAreShortenedAndImpossibleOnesLeftOut) {
  Image image(90, 60, kWhite);
  const PixelRect label =
      draw_labeled_box(image, {10, 30, 60, 50}, "a label much wider than this picture", kInk, {1, 14});
  EXPECT_LE(label.width(), 90);
  EXPECT_GT(label.width(), 60);
  Image tiny(9, 6, kWhite);
  EXPECT_EQ(draw_labeled_box(tiny, {1, 1, 8, 5}, "cat", kInk, {1, 11}), PixelRect{});
  EXPECT_EQ(count(tiny, kInk), 18);  // the box alone
  EXPECT_EQ(draw_labeled_box(image, {1, 1, 8, 5}, "", kInk, {1, 11}), PixelRect{});
}

}  // namespace
}  // namespace tessera
