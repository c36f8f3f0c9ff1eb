#include "canvas/mosaic.h"

#include <gmock/gmock.h>

#include "image/fixtures.h"

namespace tessera {
namespace {

Image ramp(int width, int height, int step) {
  Image image(width, height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint8_t>(i * step);
  return image;
}

CanvasWriter tile_writer() {
  CanvasSpec spec;
  spec.width = 20;
  spec.height = 14;
  spec.fit = CanvasFit::letterbox;
  spec.fill = 51;
  auto writer = CanvasWriter::create(spec);
  EXPECT_TRUE(writer.has_value());
  return std::move(*writer);
}

TEST(Mosaic, EachTileIsACanvasOfItsOwn) {
  CanvasWriter writer = tile_writer();
  const Image photos[] = {ramp(31, 40, 3), ramp(20, 14, 5), ramp(7, 3, 7), ramp(64, 64, 1), ramp(1, 1, 9)};
  std::vector<MosaicPhoto> views;
  for (const Image& photo : photos) views.push_back({photo.view()});
  const int stride = 4, row = 3 * 20 * stride;
  std::vector<float> canvas(static_cast<std::size_t>(2 * 14 * row), -1.0f);
  std::vector<CanvasMap> maps(9);  // what was there before does not matter
  const Status written = write_mosaic(writer, 2, 3, views, {canvas.data(), stride, row}, maps);
  ASSERT_TRUE(written.has_value()) << written.error().message;
  ASSERT_EQ(maps.size(), 5u);
  for (int t = 0; t < 6; ++t) {
    std::vector<float> alone(20 * 14 * 3, 51 * (1.0f / 255.0f));  // the sixth tile is all border
    if (t < 5) {
      const auto map = writer.write(photos[t].view(), CanvasTarget<float>{alone.data(), 3, 60});
      ASSERT_TRUE(map.has_value());
      EXPECT_EQ(*map, maps[static_cast<std::size_t>(t)]);
    }
    for (int y = 0; y < 14; ++y) {
      for (int x = 0; x < 20; ++x) {
        const float* at = canvas.data() + (t / 3 * 14 + y) * row + (t % 3 * 20 + x) * stride;
        for (int c = 0; c < 3; ++c) ASSERT_EQ(at[c], alone[static_cast<std::size_t>((y * 20 + x) * 3 + c)]) << t;
        ASSERT_EQ(at[3], -1.0f);
      }
    }
  }
}

TEST(Mosaic, OfBytesToo) {
  CanvasWriter writer = tile_writer();
  const Image photo = ramp(31, 40, 3);
  const MosaicPhoto view{photo.view()};
  std::vector<std::uint8_t> canvas(14 * 120), alone(14 * 60);
  std::vector<CanvasMap> maps;
  ASSERT_TRUE(
      write_mosaic(writer, 1, 2, {&view, 1}, CanvasTarget<std::uint8_t>{canvas.data(), 3, 120}, maps).has_value());
  ASSERT_TRUE(writer.write(photo.view(), CanvasTarget<std::uint8_t>{alone.data(), 3, 60}).has_value());
  for (std::size_t y = 0; y < 14; ++y) {
    for (std::size_t x = 0; x < 120; ++x)
      ASSERT_EQ(canvas[120 * y + x], x < 60 ? alone[60 * y + x] : 51) << x << " " << y;
  }
}

TEST(Mosaic, RefusesContradictions) {
  CanvasWriter writer = tile_writer();
  const Image photo(2, 2);
  const std::vector<MosaicPhoto> five(5, {photo.view()});
  std::vector<float> canvas(28 * 120);
  const auto error = [&](int rows, int cols, std::span<const MosaicPhoto> photos, std::int64_t row) {
    std::vector<CanvasMap> maps;
    return write_mosaic(writer, rows, cols, photos, {canvas.data(), 3, row}, maps).error().message;
  };
  EXPECT_EQ(error(2, 2, five, 120), "mosaic: 5 photos for 4 tiles");
  EXPECT_EQ(error(0, 2, {}, 120),
            "mosaic: 0x2 tiles of 20x14 pixels, want at least one and at most 65535 pixels per side");
  EXPECT_EQ(error(2, 4000, {}, 120),
            "mosaic: 2x4000 tiles of 20x14 pixels, want at least one and at most 65535 pixels per side");
  EXPECT_EQ(error(2, 2, std::span(five).first(1), 119),
            "mosaic: strides 3 and 119, want at least 3 and the canvas width times the first");
  const MosaicPhoto photos[] = {{photo.view()}, {}};
  EXPECT_EQ(error(2, 2, photos, 120), "mosaic: tile 1: canvas: photo of 0x0 pixels, want 1 to 65535 per side");
}

}  // namespace
}  // namespace tessera
