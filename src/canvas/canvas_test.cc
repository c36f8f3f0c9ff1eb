#include "canvas/canvas.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "image/fixtures.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

Image noise(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  Image image(width, height);
  for (std::uint8_t& v : image.pixels) v = static_cast<std::uint8_t>(random());
  return image;
}

CanvasSpec spec_of(int width, int height, CanvasFit fit) {
  CanvasSpec spec;
  spec.width = width;
  spec.height = height;
  spec.fit = fit;
  return spec;
}

template <class T>
std::vector<T> write(const CanvasSpec& spec, const Image& image, std::int64_t stride = 3, ThreadPool* pool = nullptr,
                     const CpuInfo& cpu = CpuInfo::detect()) {
  std::vector<T> out(static_cast<std::size_t>(spec.width * spec.height * stride), T(77));
  auto writer = CanvasWriter::create(spec, cpu);
  EXPECT_TRUE(writer.has_value());
  const auto map = writer->write(image.view(), CanvasTarget<T>{out.data(), stride, spec.width * stride}, pool);
  EXPECT_TRUE(map.has_value()) << map.error().message;
  return out;
}

std::vector<float> reference(const CanvasSpec& spec, const Image& image) {
  std::vector<float> out(static_cast<std::size_t>(spec.width * spec.height * 3));
  EXPECT_TRUE(write_canvas_reference(spec, image.view(), {out.data(), 3, spec.width * 3}).has_value());
  return out;
}

TEST(PlaceOnCanvas, StretchFillsTheCanvas) {
  const CanvasMap map = place_on_canvas(CanvasFit::stretch, CanvasAlign::center, 320, 256, 1000, 10);
  EXPECT_EQ(map.x, (CanvasAxis{320, 1000, 320, 0}));
  EXPECT_EQ(map.y, (CanvasAxis{256, 10, 256, 0}));
}

TEST(PlaceOnCanvas, LetterboxGeometry) {
  struct Case {
    int mw, mh, ow, oh, sw, sh, left, top;
  };
  const Case cases[] = {
      {416, 416, 768, 576, 416, 312, 0, 52},  // wide: 416 * 576 / 768 = 312
      {416, 416, 576, 768, 312, 416, 52, 0},  // tall
      {320, 320, 500, 500, 320, 320, 0, 0},   // square
      {320, 320, 640, 427, 320, 214, 0, 53},  // 213.5 rounds up; the odd pixel of padding goes below
      {320, 320, 641, 427, 320, 213, 0, 53},  // 213.17
      {640, 640, 1, 60000, 1, 640, 319, 0},   // 0.01 of a pixel becomes one
      {640, 640, 60000, 1, 640, 1, 0, 319},  {320, 192, 100, 100, 192, 192, 64, 0},  // a canvas that is not square
      {1, 1, 65535, 65535, 1, 1, 0, 0},      {65535, 65535, 65535, 65534, 65535, 65534, 0, 0},
  };
  for (const Case& c : cases) {
    const CanvasMap map = place_on_canvas(CanvasFit::letterbox, CanvasAlign::center, c.mw, c.mh, c.ow, c.oh);
    EXPECT_EQ(map.x, (CanvasAxis{c.mw, c.ow, c.sw, c.left})) << c.ow << "x" << c.oh;
    EXPECT_EQ(map.y, (CanvasAxis{c.mh, c.oh, c.sh, c.top})) << c.ow << "x" << c.oh;
    const CanvasMap corner = place_on_canvas(CanvasFit::letterbox, CanvasAlign::top_left, c.mw, c.mh, c.ow, c.oh);
    EXPECT_EQ(corner.x, (CanvasAxis{c.mw, c.ow, c.sw, 0}));
    EXPECT_EQ(corner.y, (CanvasAxis{c.mh, c.oh, c.sh, 0}));
  }
}

TEST(PlaceOnCanvas, AlwaysInsideAndCloseToTheRatio) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> side(1, 5000);
  for (int i = 0; i < 20000; ++i) {
    const int mw = side(random), mh = side(random), ow = side(random), oh = side(random);
    const CanvasMap map = place_on_canvas(CanvasFit::letterbox, CanvasAlign::center, mw, mh, ow, oh);
    for (const CanvasAxis& a : {map.x, map.y}) {
      ASSERT_TRUE(a.scaled >= 1 && a.pad >= 0 && a.pad + a.scaled <= a.canvas)
          << mw << " " << mh << " " << ow << " " << oh;
      const int after = a.canvas - a.scaled - a.pad;
      ASSERT_TRUE(after == a.pad || after == a.pad + 1);
    }
    ASSERT_TRUE(map.x.scaled == mw || map.y.scaled == mh);
    const double ratio = std::min(static_cast<double>(mw) / ow, static_cast<double>(mh) / oh);
    ASSERT_LE(std::abs(map.x.scaled - std::max(1.0, ow * ratio)), 0.5 + 1e-9);
    ASSERT_LE(std::abs(map.y.scaled - std::max(1.0, oh * ratio)), 0.5 + 1e-9);
  }
}

TEST(CanvasMap, GoesThereAndBack) {
  const CanvasMap map = place_on_canvas(CanvasFit::letterbox, CanvasAlign::center, 416, 416, 768, 576);
  EXPECT_EQ(map.x.to_image(0), 0);
  EXPECT_EQ(map.x.to_image(416), 768);
  EXPECT_EQ(map.y.to_image(52), 0);
  EXPECT_EQ(map.y.to_image(52 + 312), 576);
  EXPECT_EQ(map.y.to_canvas(288), 208);
  EXPECT_LT(map.y.to_image(10), 0);  // the border; not clamped
  for (double v = 0; v < 576; v += 0.37) EXPECT_NEAR(map.y.to_image(map.y.to_canvas(v)), v, 1e-12 * 576);
}

// A float sample is within 2^-13.4 < 1e-4 grey levels of the double one (derived in resize_test.cc); times |scale|,
// plus the roundings of scale, product, shift and sum: four times 2^-24 of the largest term.
double tolerance(const CanvasSpec& spec) {
  double worst = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double scale = std::abs(spec.scale / spec.std[c]), shift = std::abs(spec.mean[c] / spec.std[c]);
    worst = std::max(worst, 1e-4 * scale + 4 * std::ldexp(255 * scale + shift, -24));
  }
  return worst;
}

void expect_near_reference(const CanvasSpec& spec, const Image& image) {
  const std::vector<float> have = write<float>(spec, image), want = reference(spec, image);
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < have.size(); ++i) {
    const double off = std::abs(static_cast<double>(have[i]) - want[i]);
    if (off > worst) worst = off, at = i;
  }
  EXPECT_LE(worst, tolerance(spec)) << "worst at " << at << ": " << have[at] << ", want " << want[at];
}

TEST(CanvasWriter, IsTheReferenceWithinRounding) {
  for (const CanvasFit fit : {CanvasFit::stretch, CanvasFit::letterbox}) {
    for (const auto& [w, h] : {std::pair{1, 1}, {2, 3}, {200, 100}, {100, 201}, {64, 48}, {1000, 3}, {3, 1000}}) {
      CanvasSpec spec = spec_of(64, 48, fit);
      const Image image = noise(w, h, 5);
      expect_near_reference(spec, image);
      spec.grid = SampleGrid::corners;
      spec.align = CanvasAlign::top_left;
      expect_near_reference(spec, image);
      spec.order = ChannelOrder::bgr;
      spec.scale = 1;
      spec.mean = {103.53f, 116.28f, 123.675f};
      spec.std = {57.375f, 57.12f, -58.395f};
      expect_near_reference(spec, image);
    }
  }
}

TEST(CanvasWriter, ExactValuesOfTheContract) {
  Image image(1, 1, {51, 102, 204});
  CanvasSpec spec = spec_of(2, 1, CanvasFit::letterbox);
  spec.align = CanvasAlign::top_left;
  spec.scale = 0.5f;
  spec.mean = {1, 2, 4};
  spec.std = {2, 4, 8};
  spec.fill = 10;
  // (pixel * 0.5 - mean) / std, the photo first, then the border.
  EXPECT_THAT(write<float>(spec, image), ::testing::ElementsAre(12.25f, 12.25f, 12.25f, 2.0f, 0.75f, 0.125f));
  spec.order = ChannelOrder::bgr;  // mean and std go with the tensor's channels
  EXPECT_THAT(write<float>(spec, image), ::testing::ElementsAre(50.5f, 12.25f, 2.6875f, 2.0f, 0.75f, 0.125f));
}

TEST(CanvasWriter, SameSizeKeepsEveryByte) {
  const Image image = noise(40, 30, 6);
  CanvasSpec spec = spec_of(40, 30, CanvasFit::letterbox);
  EXPECT_EQ(write<std::uint8_t>(spec, image), image.pixels);
  const std::vector<float> f = write<float>(spec, image);
  for (std::size_t i = 0; i < f.size(); ++i) ASSERT_EQ(f[i], static_cast<float>(image.pixels[i]) * spec.scale);
}

TEST(CanvasWriter, BytesAreTheResizedPhotoInItsBorder) {
  const Image image = noise(90, 50, 7);
  CanvasSpec spec = spec_of(64, 64, CanvasFit::letterbox);
  spec.fill = 114;
  const std::vector<std::uint8_t> have = write<std::uint8_t>(spec, image);
  const CanvasMap map = place_on_canvas(spec.fit, spec.align, 64, 64, 90, 50);
  const Image scaled = *resize(image.view(), map.x.scaled, map.y.scaled);
  Image canvas(64, 64);
  canvas.pixels = have;
  EXPECT_TRUE(fixtures::pixels_are(canvas, 64, 64, [&](int x, int y) {
    const int sx = x - map.x.pad, sy = y - map.y.pad;
    const bool inside = sx >= 0 && sx < scaled.width && sy >= 0 && sy < scaled.height;
    return inside ? scaled.pixel(sx, sy) : Rgb{114, 114, 114};
  }));
}

TEST(CanvasWriter, EveryIsaAndThreadCountGivesTheSameBits) {
  for (const auto& [w, h] : {std::pair{333, 222}, {50, 400}, {20, 10}, {1, 1}}) {
    const Image image = noise(w, h, 8);
    const CanvasSpec spec = spec_of(97, 61, CanvasFit::letterbox);
    const CpuInfo scalar = CpuInfo::detect().limited_to(Isa::none);
    const std::vector<float> want = write<float>(spec, image, 3, nullptr, scalar);
    EXPECT_EQ(write<float>(spec, image), want);
    const std::vector<std::uint8_t> want_u8 = write<std::uint8_t>(spec, image, 3, nullptr, scalar);
    for (const int threads : {1, 2, 5}) {
      ThreadPool pool(threads);
      EXPECT_EQ(write<float>(spec, image, 3, &pool), want) << threads;
      EXPECT_EQ(write<std::uint8_t>(spec, image, 3, &pool), want_u8) << threads;
    }
  }
}

// What a network that reads bytes applies to them is what the f32 canvas has in it, bit for bit where pixels are whole.
TEST(CanvasWriter, BytesTimesThePixelScaleAreTheFloats) {
  CanvasSpec spec = spec_of(40, 30, CanvasFit::letterbox);
  spec.mean = {0.485f, 0.456f, 0.406f};
  spec.std = {0.229f, 0.224f, 0.225f};
  spec.fill = 114;
  const PixelScale by = pixel_scale(spec);
  for (const auto& [w, h] : {std::pair{40, 30}, {40, 17}, {9, 30}}) {  // of the canvas's size, or of one side's
    const Image image = noise(w, h, 11);
    const std::vector<float> floats = write<float>(spec, image);
    const std::vector<std::uint8_t> bytes = write<std::uint8_t>(spec, image);
    for (std::size_t i = 0; i < floats.size(); ++i) {
      ASSERT_EQ(static_cast<float>(bytes[i]) * by.scale[i % 3] + by.shift[i % 3], floats[i]) << i;
    }
  }
}

TEST(CanvasWriter, WiderPixelsKeepTheirOtherElements) {
  const Image image = noise(30, 20, 9);
  const CanvasSpec spec = spec_of(16, 16, CanvasFit::letterbox);
  const std::vector<float> tight = write<float>(spec, image), wide = write<float>(spec, image, 16);
  for (std::size_t p = 0; p < 256; ++p) {
    for (std::size_t c = 0; c < 16; ++c) ASSERT_EQ(wide[16 * p + c], c < 3 ? tight[3 * p + c] : 77.0f) << p << " " << c;
  }
}

TEST(CanvasWriter, AWriterServesPhotosOfAnySize) {
  const CanvasSpec spec = spec_of(32, 32, CanvasFit::letterbox);
  auto writer = CanvasWriter::create(spec);
  ASSERT_TRUE(writer.has_value());
  for (const auto& [w, h] : {std::pair{100, 10}, {10, 100}, {1, 1}, {64, 64}}) {
    const Image image = noise(w, h, 10);
    std::vector<float> out(32 * 32 * 3);
    const auto map = writer->write(image.view(), CanvasTarget<float>{out.data(), 3, 96});
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(*map, place_on_canvas(spec.fit, spec.align, 32, 32, w, h));
    EXPECT_EQ(out, write<float>(spec, image));
  }
}

TEST(CanvasWriter, GeometryFollowsTheFullPhotoAfterAScaledDecode) {
  const CanvasSpec spec = spec_of(64, 64, CanvasFit::letterbox);
  auto writer = CanvasWriter::create(spec);
  ASSERT_TRUE(writer.has_value());
  const Image half(101, 67, {9, 9, 9});  // of 201 x 133
  std::vector<float> out(64 * 64 * 3);
  const auto map = writer->write(half.view(), CanvasTarget<float>{out.data(), 3, 192}, nullptr, {201, 133});
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(*map, place_on_canvas(spec.fit, spec.align, 64, 64, 201, 133));
}

TEST(CanvasWriter, RefusesContradictions) {
  const auto error_of = [](CanvasSpec spec) { return CanvasWriter::create(spec).error().message; };
  EXPECT_EQ(error_of(spec_of(0, 4, CanvasFit::stretch)), "canvas: 0x4 pixels, want 1 to 65535 per side");
  EXPECT_EQ(error_of(spec_of(4, 65536, CanvasFit::stretch)), "canvas: 4x65536 pixels, want 1 to 65535 per side");
  CanvasSpec spec = spec_of(4, 4, CanvasFit::stretch);
  spec.scale = 0;
  EXPECT_EQ(error_of(spec), "canvas: scale 0, want a finite number other than 0");
  spec = spec_of(4, 4, CanvasFit::stretch);
  spec.std[1] = 0;
  EXPECT_EQ(error_of(spec), "canvas: std[1] 0, want a finite number other than 0");
  spec = spec_of(4, 4, CanvasFit::stretch);
  spec.mean[2] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of(spec), "canvas: mean[2] inf, want a finite number");

  auto writer = CanvasWriter::create(spec_of(4, 4, CanvasFit::stretch));
  ASSERT_TRUE(writer.has_value());
  std::vector<float> out(48);
  EXPECT_EQ(writer->write(Image().view(), CanvasTarget<float>{out.data(), 3, 12}).error().message,
            "canvas: photo of 0x0 pixels, want 1 to 65535 per side");
  const Image pixel(1, 1);
  EXPECT_EQ(writer->write(pixel.view(), CanvasTarget<float>{out.data(), 2, 12}).error().message,
            "canvas: strides 2 and 12, want at least 3 and width times the first");
  EXPECT_EQ(writer->write(pixel.view(), CanvasTarget<float>{out.data(), 3, 11}).error().message,
            "canvas: strides 3 and 11, want at least 3 and width times the first");
}

}  // namespace
}  // namespace tessera
