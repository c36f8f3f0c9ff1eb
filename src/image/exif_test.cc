#include "image/exif.h"

#include <gtest/gtest.h>

#include "image/fixtures.h"

namespace tessera::image_internal {
namespace {

using namespace std::string_view_literals;
using namespace std::string_literals;

int orientation(std::string_view block) { return exif_orientation(fixtures::bytes_of(block)); }

// TIFF header, directory at 8 with one entry: tag 0x0112, type SHORT, count 1, value.
constexpr auto kLittle = "II\x2A\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"sv;
constexpr auto kBig = "MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0"sv;

TEST(ExifOrientation, BothByteOrders) {
  EXPECT_EQ(orientation(kLittle), 6);
  EXPECT_EQ(orientation(kBig), 8);
  EXPECT_EQ(orientation(std::string("Exif\0\0"sv) + std::string(kBig)), 8);
}

TEST(ExifOrientation, IsFoundAmongOtherEntries) {
  std::string block = "II\x2A\0\x08\0\0\0\x02\0"s + std::string("\x0F\x01\x02\0\x04\0\0\0abc\0"sv);
  block += kLittle.substr(10);
  EXPECT_EQ(orientation(block), 6);
}

TEST(ExifOrientation, NonsenseIsUpright) {
  EXPECT_EQ(orientation(""), 1);
  EXPECT_EQ(orientation("Exif\0\0"sv), 1);
  EXPECT_EQ(orientation("IIxx"), 1);
  for (std::size_t size = 0; size < kLittle.size() - 2; ++size) {  // the last two bytes pad the value
    EXPECT_EQ(orientation(kLittle.substr(0, size)), 1) << size;
  }
  for (const char value : {'\0', '\x09', '\xFF'}) {
    std::string block(kLittle);
    block[18] = value;
    EXPECT_EQ(orientation(block), 1);
  }
  std::string wrong_type(kLittle);
  wrong_type[12] = 4;
  EXPECT_EQ(orientation(wrong_type), 1);
  std::string far_directory(kLittle);
  far_directory.replace(4, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(orientation(far_directory), 1);
  std::string many_entries(kLittle);
  many_entries.replace(8, 4, "\xFF\xFF\0\0"sv);
  EXPECT_EQ(orientation(many_entries), 1);
}

// Where the upright picture's pixel (x, y) is stored, from the definition of the tag: which side of the stored
// picture shows the scene's top and left.
Rgb stored_at(const Image& stored, int orientation, int x, int y) {
  const int w = stored.width - 1, h = stored.height - 1;
  switch (orientation) {
    case 1:
      return stored.pixel(x, y);  // row 0 top, column 0 left
    case 2:
      return stored.pixel(w - x, y);  // top, right
    case 3:
      return stored.pixel(w - x, h - y);  // bottom, right
    case 4:
      return stored.pixel(x, h - y);  // bottom, left
    case 5:
      return stored.pixel(y, x);  // left, top
    case 6:
      return stored.pixel(y, h - x);  // right, top
    case 7:
      return stored.pixel(w - y, h - x);  // right, bottom
    default:
      return stored.pixel(w - y, x);  // left, bottom
  }
}

TEST(TurnUpright, FollowsTheDefinitionAtEverySize) {
  // Around the 32-pixel squares of the implementation, and lines.
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 70}, {70, 1}, {31, 33}, {32, 64}, {65, 40}}) {
    Image stored(w, h);
    for (std::size_t i = 0; i < stored.pixels.size(); ++i)
      stored.pixels[i] = static_cast<std::uint8_t>(i * 37 + i / 251);
    for (int orientation = 0; orientation <= 9; ++orientation) {
      const bool turn = orientation >= 1 && orientation <= 8;
      const bool swap = turn && swaps_axes(orientation);
      const Image upright = turn_upright(stored, orientation);
      EXPECT_TRUE(fixtures::pixels_are(upright, swap ? h : w, swap ? w : h,
                                       [&](int x, int y) { return stored_at(stored, turn ? orientation : 1, x, y); }))
          << w << "x" << h << " orientation " << orientation;
    }
  }
}

}  // namespace
}  // namespace tessera::image_internal
