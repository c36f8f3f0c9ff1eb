#include "pipeline/video/convert.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace tessera {
namespace {

constexpr std::int32_t kOne = 65536;

std::array<std::int32_t, 9> matrix(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
  return {a, b, 0, c, d, 0, 0, 0, 1 << 30};
}

// (x, y) goes to (a x + c y, b x + d y), y down: the eight ways a picture can lie.
TEST(OrientationOf, DisplayMatrices) {
  EXPECT_EQ(orientation_of(nullptr), 1);
  EXPECT_EQ(orientation_of(matrix(kOne, 0, 0, kOne).data()), 1);
  EXPECT_EQ(orientation_of(matrix(-kOne, 0, 0, kOne).data()), 2);
  EXPECT_EQ(orientation_of(matrix(-kOne, 0, 0, -kOne).data()), 3);
  EXPECT_EQ(orientation_of(matrix(kOne, 0, 0, -kOne).data()), 4);
  EXPECT_EQ(orientation_of(matrix(0, kOne, kOne, 0).data()), 5);
  EXPECT_EQ(orientation_of(matrix(0, kOne, -kOne, 0).data()), 6);  // what phones write for a quarter turn clockwise
  EXPECT_EQ(orientation_of(matrix(0, -kOne, -kOne, 0).data()), 7);
  EXPECT_EQ(orientation_of(matrix(0, -kOne, kOne, 0).data()), 8);
  EXPECT_EQ(orientation_of(matrix(60000, 5000, -5000, 60000).data()), 1);
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(orientation_of(matrix(kLowest, 0, 0, kLowest).data()), 3);
}

FramePtr frame(int width, int height, AVPixelFormat format) {
  FramePtr f(av_frame_alloc());
  f->width = width;
  f->height = height;
  f->format = format;
  EXPECT_EQ(av_frame_get_buffer(f.get(), 0), 0);
  return f;
}

FramePtr grey(int width, int height, int luma, AVColorRange range) {
  FramePtr f = frame(width, height, AV_PIX_FMT_YUV420P);
  f->color_range = range;
  for (int plane = 0; plane < 3; ++plane) {
    const int rows = plane == 0 ? height : (height + 1) / 2, columns = plane == 0 ? width : (width + 1) / 2;
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) {
        f->data[plane][y * f->linesize[plane] + x] = static_cast<std::uint8_t>(plane == 0 ? luma : 128);
      }
    }
  }
  return f;
}

TEST(FrameConverter, TheRangeIsHonoured) {
  FrameConverter converter(1, {});
  const auto at = [&](int luma, AVColorRange range) {
    const auto image = converter.convert(*grey(16, 16, luma, range));
    EXPECT_TRUE(image.has_value());
    const Rgb pixel = image->pixel(5, 5);
    EXPECT_TRUE(pixel.r == pixel.g && pixel.g == pixel.b);
    return int{pixel.r};
  };
  EXPECT_EQ(at(16, AVCOL_RANGE_MPEG), 0);
  EXPECT_EQ(at(235, AVCOL_RANGE_MPEG), 255);
  EXPECT_EQ(at(16, AVCOL_RANGE_UNSPECIFIED), 0);
  EXPECT_EQ(at(16, AVCOL_RANGE_JPEG), 16);
  EXPECT_EQ(at(235, AVCOL_RANGE_JPEG), 235);
}

// White at every width, but for the rounding of the paths for narrow pictures: every pixel is written, and none beside
// them (sanitizers watch).
TEST(FrameConverter, EveryWidthToTheEdge) {
  FrameConverter converter(1, {});
  for (int width = 1; width <= 70; ++width) {
    const auto image = converter.convert(*grey(width, 3, 235, AVCOL_RANGE_MPEG));
    ASSERT_TRUE(image.has_value()) << width << ": " << image.error().message;
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < width; ++x) ASSERT_GE(int{image->pixel(x, y).g}, 250) << width << " at " << x << ", " << y;
    }
  }
}

TEST(FrameConverter, TurnsUpright) {
  FramePtr f = frame(2, 1, AV_PIX_FMT_RGB24);
  const std::array<std::uint8_t, 6> row{255, 0, 0, 0, 0, 255};  // red, blue
  std::copy(row.begin(), row.end(), f->data[0]);
  FrameConverter converter(6, {});
  const auto image = converter.convert(*f);
  ASSERT_TRUE(image.has_value());
  EXPECT_EQ(image->width, 1);
  EXPECT_EQ(image->height, 2);
  EXPECT_EQ(int{image->pixel(0, 0).r}, 255);
  EXPECT_EQ(int{image->pixel(0, 1).b}, 255);
}

TEST(FrameConverter, LimitsAreLimits) {
  FrameConverter converter(1, {.max_pixels = 100, .max_side = 40});
  EXPECT_TRUE(converter.convert(*grey(10, 10, 16, AVCOL_RANGE_MPEG)).has_value());
  EXPECT_EQ(converter.convert(*grey(11, 10, 16, AVCOL_RANGE_MPEG)).error().message,
            "a frame of 11x10 is above the limit");
  EXPECT_EQ(converter.convert(*grey(41, 1, 16, AVCOL_RANGE_MPEG)).error().code, Code::limit_exceeded);
}

TEST(FrameConverter, FormatsWithoutAConversionAreNamed) {
  FramePtr f(av_frame_alloc());
  f->width = f->height = 8;
  f->format = AV_PIX_FMT_VAAPI;
  FrameConverter converter(1, {});
  const auto image = converter.convert(*f);
  ASSERT_FALSE(image.has_value());
  EXPECT_EQ(image.error().message, "pixels of format vaapi are not read");
}

}  // namespace
}  // namespace tessera
