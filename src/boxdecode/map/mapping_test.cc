#include "boxdecode/map/mapping.h"

#include <gtest/gtest.h>

#include <bit>

namespace tessera::boxdecode {
namespace {

constexpr Resize::Anchor kCenter = Resize::Anchor::Center, kTopLeft = Resize::Anchor::TopLeft;

void expect_placed(ImageSize original, ImageSize model, Resize resize, ImageSize scaled, std::int32_t left,
                   std::int32_t top) {
  const Placed placed = place(resize, model, original);
  EXPECT_EQ(placed.scaled.width, scaled.width);
  EXPECT_EQ(placed.scaled.height, scaled.height);
  EXPECT_EQ(placed.pad_left, left);
  EXPECT_EQ(placed.pad_top, top);
}

TEST(BoxDecodeMapping, LetterboxIntegersOfTheDocument) {
  const Resize center = Resize::letterbox(kCenter);
  expect_placed({1280, 720}, {640, 640}, center, {640, 360}, 0, 140);
  expect_placed({1000, 667}, {640, 640}, center, {640, 427}, 0, 106);
  expect_placed({333, 500}, {640, 640}, center, {426, 640}, 107, 0);
  expect_placed({1920, 1080}, {640, 384}, center, {640, 360}, 0, 12);
  expect_placed({1, 4000}, {640, 640}, center, {1, 640}, 319, 0);
  expect_placed({1280, 720}, {640, 640}, Resize::letterbox(kTopLeft), {640, 360}, 0, 0);
  expect_placed({1048576, 1}, {1048576, 1048576}, center, {1048576, 1}, 0, 524287);
}

TEST(BoxDecodeMapping, BoxesOfTheDocument) {
  const Box wide = make_mapping(Resize::letterbox(), {640, 640}, {1280, 720})({100, 200, 300, 400});
  EXPECT_EQ(wide.x1, 200.0f);
  EXPECT_EQ(wide.y1, 120.0f);
  EXPECT_EQ(wide.x2, 600.0f);
  EXPECT_EQ(wide.y2, 520.0f);
  const Mapping m = make_mapping(Resize::letterbox(), {640, 640}, {1000, 667});
  EXPECT_EQ(m.x.ratio, 1.5625f);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(m.y.ratio), 0x3FC7F19Cu);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(m.y(300.0f)), 0x43978518u);
  EXPECT_EQ(m.y(50.0f), 0.0f);
  EXPECT_EQ(m.y(533.5f), 667.0f);
}

TEST(BoxDecodeMapping, StretchAndExplicit) {
  const Mapping stretch = make_mapping(Resize::stretch(), {320, 160}, {640, 480});
  EXPECT_EQ(stretch.x(10.0f), 20.0f);
  EXPECT_EQ(stretch.y(10.0f), 30.0f);
  const Mapping given = make_mapping(Resize::explicit_size({100, 50}, 7, 9), {320, 160}, {200, 200});
  EXPECT_EQ(given.x(17.0f), 20.0f);
  EXPECT_EQ(given.y(19.0f), 40.0f);
}

TEST(BoxDecodeMapping, ClampsToTheImageAndNeverGivesMinusZero) {
  const Mapping m = make_mapping(Resize::stretch(), {10, 10}, {10, 10});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(m.x(-0.0f)), 0u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(m.x(-3.0f)), 0u);
  EXPECT_EQ(m.x(3e38f), 10.0f);
  EXPECT_EQ(m.x(-3e38f), 0.0f);
  EXPECT_EQ(m.x(10.0f), 10.0f);
}

}  // namespace
}  // namespace tessera::boxdecode
