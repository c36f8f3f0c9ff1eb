#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::decoded;
using fixtures::error_of;
using fixtures::file;
using fixtures::pixels_are;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Bytes = std::vector<std::byte>;

// The quality-95 tables quantise by at most 12 steps; the smooth picture stays well inside.
constexpr int kLossy = 6;

std::size_t find_marker(const Bytes& bytes, unsigned marker, std::size_t from = 2) {
  for (std::size_t i = from; i + 1 < bytes.size(); ++i) {
    if (bytes[i] == std::byte{0xFF} && bytes[i + 1] == std::byte(marker)) return i;
  }
  ADD_FAILURE() << "no marker " << marker;
  return 0;
}

TEST(Jpeg, BaselineAndProgressive) {
  EXPECT_TRUE(pixels_are(decoded(file("baseline.jpg")), 16, 12, fixtures::smooth_color, kLossy));
  EXPECT_TRUE(pixels_are(decoded(file("progressive.jpg")), 16, 12, fixtures::smooth_color, kLossy));
}

TEST(Jpeg, SubsampledColor) {
  // Colors of 2x2 pixels are averaged: up to half a step (7.5 and 10) more.
  EXPECT_TRUE(pixels_are(decoded(file("420.jpg")), 16, 12, fixtures::smooth_color, kLossy + 10));
}

TEST(Jpeg, GrayHasThreeEqualChannels) {
  const Image image = decoded(file("gray.jpg"));
  const auto luma = [](int x, int y) {  // ITU-R BT.601, as Pillow converts
    const Rgb c = fixtures::smooth_color(x, y);
    const auto v = static_cast<std::uint8_t>((299 * c.r + 587 * c.g + 114 * c.b + 500) / 1000);
    return Rgb{v, v, v};
  };
  EXPECT_TRUE(pixels_are(image, 16, 12, luma, kLossy));
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) ASSERT_EQ(image.pixels[i], image.pixels[i + 2]);
}

TEST(Jpeg, InksInAllThreeEncodings) {
  EXPECT_TRUE(pixels_are(decoded(file("cmyk_adobe.jpg")), 16, 12, fixtures::smooth_color, kLossy));
  EXPECT_TRUE(pixels_are(decoded(file("cmyk_plain.jpg")), 16, 12, fixtures::smooth_color, kLossy));
  EXPECT_TRUE(pixels_are(decoded(file("ycck_adobe.jpg")), 16, 12, fixtures::smooth_color, kLossy));
}

TEST(Jpeg, EndingEarlyIsAnErrorUnlessAccepted) {
  for (const char* name : {"baseline.jpg", "progressive.jpg"}) {
    Bytes bytes = file(name);
    const std::size_t scan = find_marker(bytes, 0xDA);
    bytes.resize(scan + (bytes.size() - scan) / 2);
    EXPECT_THAT(error_of(bytes), StartsWith("corrupt: jpeg: the file ends early")) << name;
    DecodeOptions options;
    options.accept_truncated = true;
    EXPECT_EQ(decoded(bytes, options).width, 16) << name;
  }
}

TEST(Jpeg, EndingInsideTheHeaderIsAnError) {
  Bytes bytes = file("baseline.jpg");
  bytes.resize(find_marker(bytes, 0xC0) + 4);
  EXPECT_THAT(error_of(bytes), StartsWith("corrupt: jpeg: the file ends early: "));
}

TEST(Jpeg, OneScanNeedsNoEndMarker) {
  Bytes bytes = file("baseline.jpg");
  const Image whole = decoded(bytes);
  ASSERT_EQ(bytes.back(), std::byte{0xD9});
  bytes.resize(bytes.size() - 2);
  EXPECT_TRUE(fixtures::same_pixels(decoded(bytes), whole));
}

TEST(Jpeg, BytesBetweenSegmentsAreForgiven) {
  Bytes bytes = file("baseline.jpg");
  bytes.insert(bytes.end() - 2, 7, std::byte{0});
  EXPECT_TRUE(pixels_are(decoded(bytes), 16, 12, fixtures::smooth_color, kLossy));
}

TEST(Jpeg, DamagedDataIsAnError) {
  Bytes bytes = file("baseline.jpg");
  const std::size_t data = find_marker(bytes, 0xDA) + 14;  // marker, 12 bytes of header
  // Stuffed FF bytes: a code of all ones does not exist (ITU-T T.81, annex C).
  for (std::size_t i = data; i + 3 < bytes.size(); ++i) bytes[i] = (i - data) % 2 == 0 ? std::byte{0xFF} : std::byte{0};
  EXPECT_THAT(error_of(bytes), StartsWith("corrupt: jpeg: damaged: Corrupt JPEG data: bad Huffman code"));
}

TEST(Jpeg, HugeDeclaredSizeInASmallFileIsRefusedBeforeAllocating) {
  Bytes bytes = file("baseline.jpg");
  const std::size_t frame = find_marker(bytes, 0xC0);
  for (std::size_t i : {5, 6, 7, 8}) bytes[frame + i] = std::byte{0x3F};  // 16191 x 16191, below the limits
  EXPECT_EQ(error_of(bytes), "corrupt: jpeg: the file ends early: 16191x16191 pixels cannot be held in " +
                                 std::to_string(bytes.size()) + " bytes");
  for (std::size_t i : {5, 6, 7, 8}) bytes[frame + i] = std::byte{0xFF};
  EXPECT_THAT(error_of(bytes), StartsWith("limit_exceeded: jpeg: "));
}

TEST(Jpeg, VariantsThatAreNotRead) {
  Bytes bytes = file("baseline.jpg");
  const std::size_t frame = find_marker(bytes, 0xC0);
  bytes[frame + 4] = std::byte{12};
  EXPECT_THAT(error_of(bytes), StartsWith("unsupported: jpeg: Unsupported JPEG data precision 12"));
  bytes[frame + 4] = std::byte{8};
  bytes[frame + 1] = std::byte{0xC3};  // lossless
  EXPECT_THAT(error_of(bytes), StartsWith("unsupported: jpeg: Unsupported JPEG process"));
}

TEST(Jpeg, EndlessScansAreRefused) {
  Bytes bytes = file("progressive.jpg");
  const std::size_t first = find_marker(bytes, 0xDA);
  const std::size_t tables = find_marker(bytes, 0xC4, first), next = find_marker(bytes, 0xDA, first + 2);
  const std::size_t end = std::min(tables, next);
  const Bytes scan(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                   bytes.begin() + static_cast<std::ptrdiff_t>(end));
  for (int i = 0; i < 120; ++i)
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(end), scan.begin(), scan.end());
  EXPECT_EQ(error_of(bytes), "corrupt: jpeg: more than 100 scans");
}

TEST(Jpeg, ScaledDecodeKeepsTheAskedSizeAndTheTrueOne) {
  const Image large(400, 300, {200, 100, 50});
  const auto bytes = encode_jpeg(large.view(), 95);
  ASSERT_TRUE(bytes.has_value());
  struct Case {
    int min_width, min_height, width, height;
  };
  // 400x300 halves to 200x150, 100x75, 50x38 (rounded up); the largest reduction that keeps both sides is taken.
  for (const Case c : {Case{0, 0, 400, 300}, Case{201, 10, 400, 300}, Case{200, 150, 200, 150},
                       Case{200, 151, 400, 300}, Case{100, 75, 100, 75}, Case{1, 1, 50, 38}}) {
    DecodeOptions options;
    options.min_width = c.min_width;
    options.min_height = c.min_height;
    const Image image = decoded(*bytes, options);
    EXPECT_TRUE(pixels_are(
        image, c.width, c.height,
        [](int, int) {
          return Rgb{200, 100, 50};
        },
        2));
    EXPECT_EQ(image.full_width, 400);
    EXPECT_EQ(image.full_height, 300);
  }
}

TEST(Jpeg, ScaledDecodeMeansTheUprightSize) {
  DecodeOptions options;
  options.min_width = 8;
  options.min_height = 6;
  const Image image = decoded(file("orientation6.jpg"), options);  // stored 12x16, upright 16x12
  EXPECT_EQ(image.width, 8);
  EXPECT_EQ(image.height, 6);
  EXPECT_EQ(image.full_width, 16);
  EXPECT_EQ(image.full_height, 12);
}

// Sums over Pillow 13.0.0's decode of the same files (libjpeg-turbo, slow integer DCT, its defaults):
// position-weighted, so that a moved or exchanged pixel shows.
TEST(Jpeg, RealPhotosEqualPillowsDecode) {
  const char* given = std::getenv("TESSERA_DATA");
  const std::string folder = std::string(given != nullptr ? given : TESSERA_DATA_DEFAULT) + "/images/";
  struct Case {
    const char* name;
    int width, height;
    std::int64_t weighted_sum;
  };
  int compared = 0;
  for (const Case& c : {Case{"misc/dog.jpg", 768, 576, 5525546417988},
                        {"coco-val2017/000000000139.jpg", 640, 426, 2711209358024},
                        {"coco-val2017/000000000285.jpg", 586, 640, 4157653423172},
                        {"voc2012/2007_000027.jpg", 486, 500, 2456807078469}}) {
    if (!std::filesystem::exists(folder + c.name)) continue;
    const auto bytes = read_file(folder + c.name);
    ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
    const Image image = decoded(*bytes);
    EXPECT_EQ(image.width, c.width) << c.name;
    EXPECT_EQ(image.height, c.height) << c.name;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) sum += image.pixels[i] * static_cast<std::int64_t>(i % 65521);
    EXPECT_EQ(sum, c.weighted_sum) << c.name;
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "no photos in " << folder << " (set TESSERA_DATA)";
}

}  // namespace
}  // namespace tessera
