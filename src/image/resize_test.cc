#include "image/resize.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "image/fixtures.h"
#include "image/resize_rows.h"

namespace tessera {
namespace {

using image_internal::Affine;
using image_internal::RowKernels;

unsigned seed() {
  const char* given = std::getenv("TESSERA_TEST_SEED");
  const unsigned value =
      given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  ::testing::Test::RecordProperty("seed", static_cast<int>(value));
  return value;
}

Image noise(int width, int height, std::mt19937& random) {
  Image image(width, height);
  for (std::uint8_t& v : image.pixels) v = static_cast<std::uint8_t>(random());
  return image;
}

const SampleGrid kGrids[] = {SampleGrid::half_pixel, SampleGrid::corners};

TEST(SamplePosition, HalfPixelCentersAndCorners) {
  // 4 -> 2: the middle of each pair. 2 -> 4: quarters, clamped at the ends.
  EXPECT_EQ(sample_position(SampleGrid::half_pixel, 0, 4, 2), 0.5);
  EXPECT_EQ(sample_position(SampleGrid::half_pixel, 1, 4, 2), 2.5);
  const double up[] = {0, 0.25, 0.75, 1};
  for (int x = 0; x < 4; ++x) EXPECT_EQ(sample_position(SampleGrid::half_pixel, x, 2, 4), up[x]);
  EXPECT_EQ(sample_position(SampleGrid::corners, 0, 4, 2), 0);
  EXPECT_EQ(sample_position(SampleGrid::corners, 1, 4, 2), 3);
  EXPECT_EQ(sample_position(SampleGrid::corners, 0, 4, 1), 0);
  EXPECT_EQ(sample_position(SampleGrid::corners, 4, 1, 9), 0);
}

TEST(Resize, SameSizeIsTheSamePicture) {
  std::mt19937 random(1);
  const Image image = noise(37, 23, random);
  for (const SampleGrid grid : kGrids) {
    EXPECT_TRUE(fixtures::same_pixels(*resize(image.view(), 37, 23, grid), image));
    EXPECT_TRUE(fixtures::same_pixels(*resize_reference(image.view(), 37, 23, grid), image));
  }
}

TEST(Resize, ExactAnswers) {
  Image image(2, 1);
  image.pixels = {0, 10, 100, 8, 50, 101};
  const Image wide = *resize(image.view(), 4, 1);
  EXPECT_THAT(wide.pixels, ::testing::ElementsAre(0, 10, 100, 2, 20, 100, 6, 40, 101, 8, 50, 101));
  EXPECT_EQ(wide.pixels, resize_reference(image.view(), 4, 1)->pixels);
  const Image half = *resize(image.view(), 1, 1);
  EXPECT_THAT(half.pixels, ::testing::ElementsAre(4, 30, 100));  // 100.5 to even
}

// Float against double, before rounding: a, b are whole numbers up to 255, so b - a is exact. The weight is rounded
// once (2^-25), the product and the sum once each (2^-24 of at most 255 = 2^-16): a row is off by less than
// 255 * 2^-25 + 2 * 2^-16 < 2.5 * 2^-16; blending two rows adds the same again, times at most 1: < 2^-13.4. So a byte
// differs only where the exact value lies that close to a half, and then by one.
TEST(Resize, IsTheReferenceUpToTies) {
  const unsigned first = seed();
  SCOPED_TRACE("TESSERA_TEST_SEED=" + std::to_string(first));
  std::mt19937 random(first);
  std::int64_t different = 0, all = 0;
  for (const auto& [in_w, in_h, out_w, out_h] : {std::array{1, 1, 7, 5},
                                                 {2, 2, 1, 1},
                                                 {3, 500, 500, 3},
                                                 {640, 480, 320, 240},
                                                 {101, 67, 416, 416},
                                                 {1, 9, 20, 20},
                                                 {9, 1, 20, 20},
                                                 {333, 222, 97, 61}}) {
    const Image image = noise(in_w, in_h, random);
    for (const SampleGrid grid : kGrids) {
      const Image fast = *resize(image.view(), out_w, out_h, grid);
      const Image slow = *resize_reference(image.view(), out_w, out_h, grid);
      EXPECT_TRUE(fixtures::same_pixels(fast, slow, 1)) << in_w << "x" << in_h << " to " << out_w << "x" << out_h;
      for (std::size_t i = 0; i < fast.pixels.size(); ++i) different += fast.pixels[i] != slow.pixels[i];
      all += static_cast<std::int64_t>(fast.pixels.size());
    }
  }
  EXPECT_LT(different, all / 1000) << "of " << all;
}

TEST(Resize, IntoAWindowTouchesNothingElse) {
  std::mt19937 random(2);
  const Image image = noise(30, 20, random);
  Image canvas(50, 40, {1, 2, 3});
  ASSERT_TRUE(resize_into(image.view(), canvas.row(5) + 3 * 7, 25, 30, static_cast<std::int64_t>(canvas.row_bytes()))
                  .has_value());
  const Image want = *resize(image.view(), 25, 30);
  EXPECT_TRUE(fixtures::pixels_are(canvas, 50, 40, [&](int x, int y) {
    const bool inside = x >= 7 && x < 32 && y >= 5 && y < 35;
    return inside ? want.pixel(x - 7, y - 5) : Rgb{1, 2, 3};
  }));
}

TEST(Resize, RefusesEmptyAndHuge) {
  const Image image(2, 2);
  EXPECT_EQ(resize(image.view(), 0, 5).error().message, "resize: 2x2 to 0x5 pixels, want 1 to 65535 per side");
  EXPECT_EQ(resize(Image().view(), 4, 5).error().message, "resize: 0x0 to 4x5 pixels, want 1 to 65535 per side");
  EXPECT_EQ(resize_reference(image.view(), 1, 65536).error().code, Code::invalid_argument);
}

TEST(RowKernels, ReferenceIsLastAndNeedsNothing) {
  const auto kernels = image_internal::row_kernels();
  ASSERT_FALSE(kernels.empty());
  EXPECT_STREQ(kernels.back().name, "reference");
  EXPECT_EQ(kernels.back().isa, Isa::none);
  EXPECT_EQ(&image_internal::best_row_kernels(CpuInfo::detect().limited_to(Isa::none)), &kernels.back());
}

// Bits, not values: run every variant and the reference over the same rows.
class RowKernelVariants : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!CpuInfo::detect().supports(kernels().isa)) GTEST_SKIP() << "no " << to_string(kernels().isa) << " here";
  }
  const RowKernels& kernels() const { return image_internal::row_kernels()[static_cast<std::size_t>(GetParam())]; }
  const RowKernels& reference() const { return image_internal::row_kernels().back(); }
};

constexpr int kWidths[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 320};

TEST_P(RowKernelVariants, ColumnsGiveTheSameBits) {
  const unsigned first = seed();
  SCOPED_TRACE("TESSERA_TEST_SEED=" + std::to_string(first));
  std::mt19937 random(first);
  for (const int in : {1, 2, 3, 5, 8, 300}) {
    // Exactly the row's bytes on the heap: a read past them is an error under the address sanitizer.
    const std::vector<std::uint8_t> row = noise(in, 1, random).pixels;
    for (const int out : kWidths) {
      for (const bool swap : {false, true}) {
        image_internal::ColumnTable table;
        image_internal::fill_columns(table, kGrids[out % 2], in, out, swap);
        std::vector<float> have(image_internal::row_floats(out)), want(have.size());
        kernels().columns(row.data(), table.view, have.data());
        reference().columns(row.data(), table.view, want.data());
        have.back() = want.back() = 0;  // the spare element holds anything
        EXPECT_EQ(have, want) << in << " to " << out << " swap " << swap;
      }
    }
  }
}

TEST_P(RowKernelVariants, BlendsGiveTheSameBits) {
  const unsigned first = seed();
  SCOPED_TRACE("TESSERA_TEST_SEED=" + std::to_string(first));
  std::mt19937 random(first);
  std::uniform_real_distribution<float> pixel(0.0f, 255.0f), unit(0.0f, 1.0f);
  const Affine affine{{1 / 255.0f, 0.5f, -0.017f}, {-2.0f, 0.25f, 3.0f}};
  for (const int width : kWidths) {
    std::vector<float> top(image_internal::row_floats(width)), bottom(top.size());
    for (std::size_t i = 0; i < top.size(); ++i) {
      top[i] = i % 5 == 0 ? std::floor(pixel(random)) + 0.5f : pixel(random);  // ties
      bottom[i] = i % 5 == 0 ? top[i] : pixel(random);
    }
    for (const std::int64_t stride : {3, 4, 16}) {
      const auto elements = static_cast<std::size_t>(width * stride);
      const float weight = unit(random);
      std::vector<float> have(elements, -7.0f), want(elements, -7.0f);  // elements beyond the third stay
      kernels().blend_f32(top.data(), bottom.data(), weight, affine, width, have.data(), stride);
      reference().blend_f32(top.data(), bottom.data(), weight, affine, width, want.data(), stride);
      EXPECT_EQ(have, want) << "width " << width << " stride " << stride;
      std::vector<std::uint8_t> have_u8(elements, 9), want_u8(elements, 9);
      kernels().blend_u8(top.data(), bottom.data(), weight, width, have_u8.data(), stride);
      reference().blend_u8(top.data(), bottom.data(), weight, width, want_u8.data(), stride);
      EXPECT_EQ(have_u8, want_u8) << "width " << width << " stride " << stride;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RowKernelVariants,
                         ::testing::Range(0, static_cast<int>(image_internal::row_kernels().size())),
                         [](const auto& info) {
                           return image_internal::row_kernels()[static_cast<std::size_t>(info.param)].name;
                         });

}  // namespace
}  // namespace tessera
