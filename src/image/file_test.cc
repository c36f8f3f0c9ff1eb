// Reading and writing files, and the encoders.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "image/fixtures.h"

namespace tessera {
namespace {

using fixtures::bytes_of;
using fixtures::decoded;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Files : public ::testing::Test {
 protected:
  Files() : folder_(std::filesystem::temp_directory_path() / ("tessera_file_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(Files, WhatIsWrittenIsRead) {
  for (const std::size_t size : {0u, 1u, 4096u, 3'000'001u}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = std::byte(i * 7 + i / 300);
    ASSERT_TRUE(write_file(folder_ / "data", bytes).has_value());
    const auto back = read_file(folder_ / "data");
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, bytes);
  }
}

TEST_F(Files, ErrorsNameThePath) {
  const auto missing = read_file(folder_ / "missing.jpg");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, Code::not_found);
  EXPECT_THAT(missing.error().message, EndsWith("/missing.jpg': cannot open: No such file or directory"));

  const auto folder = read_file(folder_);
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, Code::invalid_argument);
  EXPECT_THAT(folder.error().message, EndsWith("': cannot read: Is a directory"));

  const auto nowhere = write_file(folder_ / "no" / "such" / "folder.png", bytes_of("x"));
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_THAT(nowhere.error().message, EndsWith("/folder.png': cannot create: No such file or directory"));
}

TEST_F(Files, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto full = write_file("/dev/full", bytes_of("x"));
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().code, Code::io);
  EXPECT_EQ(full.error().message, "'/dev/full': cannot write: No space left on device");
}

TEST_F(Files, ANameThatNoFileCanHaveIsTheCallersFault) {
  const auto long_name = write_file(folder_ / std::string(256, 'n'), bytes_of("x"));
  ASSERT_FALSE(long_name.has_value());
  EXPECT_EQ(long_name.error().code, Code::invalid_argument);
  EXPECT_THAT(long_name.error().message, EndsWith("': cannot create: File name too long"));
  EXPECT_EQ(write_file(folder_, bytes_of("x")).error().code, Code::invalid_argument);
}

TEST_F(Files, WhatIsBegunAndCannotBeEndedIsTakenAway) {
  const auto path = folder_ / "cut";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = write_file(path, std::vector<std::byte>(100'000));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Code::io);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Files, LongerThanTheLimitIsRefused) {
  ASSERT_TRUE(write_file(folder_ / "ten", bytes_of("0123456789")).has_value());
  EXPECT_TRUE(read_file(folder_ / "ten", 10).has_value());
  const auto nine = read_file(folder_ / "ten", 9);
  ASSERT_FALSE(nine.has_value());
  EXPECT_EQ(nine.error().code, Code::limit_exceeded);
  EXPECT_THAT(nine.error().message, EndsWith("/ten': longer than the limit of 9 bytes"));
}

Image pattern(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(x);
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(y);
      image.row(y)[3 * x + 2] = static_cast<std::uint8_t>(x * y);
    }
  }
  return image;
}

TEST(EncodePng, KeepsEveryPixel) {
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 300}, {300, 1}, {129, 65}}) {
    const Image image = pattern(w, h);
    const auto png = encode_png(image.view());
    ASSERT_TRUE(png.has_value()) << png.error().message;
    EXPECT_TRUE(fixtures::same_pixels(decoded(*png), image));
  }
}

TEST(EncodePng, WritesAWindowOfALargerPicture) {
  const Image image = pattern(40, 30);
  const ImageView window{image.row(10) + 3 * 5, 20, 15, static_cast<std::int64_t>(image.row_bytes())};
  const auto png = encode_png(window);
  ASSERT_TRUE(png.has_value());
  EXPECT_TRUE(fixtures::pixels_are(decoded(*png), 20, 15, [&](int x, int y) { return image.pixel(x + 5, y + 10); }));
}

TEST(EncodeJpeg, QualityTradesSizeForTruth) {
  Image image(64, 48);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(4 * x);
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(5 * y);
      image.row(y)[3 * x + 2] = 90;
    }
  }
  const auto fine = encode_jpeg(image.view(), 100), coarse = encode_jpeg(image.view(), 20);
  ASSERT_TRUE(fine.has_value() && coarse.has_value());
  EXPECT_LT(coarse->size(), fine->size());
  // Quality 100 quantises by 1: an error of half a step per coefficient, and the color conversion's rounding.
  EXPECT_TRUE(fixtures::same_pixels(decoded(*fine), image, 4));
  EXPECT_TRUE(fixtures::same_pixels(decoded(*coarse), image, 64));
}

TEST(Encode, RefusesEmptyAndNonsense) {
  const Image empty, pixel(1, 1);
  EXPECT_EQ(encode_png(empty.view()).error().message,
            "png: cannot write a picture of 0x0 pixels, want 1 to 65535 per side");
  EXPECT_EQ(encode_jpeg(empty.view()).error().message,
            "jpeg: cannot write a picture of 0x0 pixels, want 1 to 65500 per side");
  EXPECT_EQ(encode_jpeg(pixel.view(), 0).error().message, "jpeg: quality 0, want 1 to 100");
  EXPECT_EQ(encode_jpeg(pixel.view(), 101).error().message, "jpeg: quality 101, want 1 to 100");
}

TEST(Encode, ExtremeShapes) {
  for (const auto& [w, h] : {std::pair{1, 1}, {20000, 20}, {20, 20000}}) {
    const Image image(w, h, {10, 20, 30});
    const auto png = encode_png(image.view()), jpeg = encode_jpeg(image.view());
    ASSERT_TRUE(png.has_value() && jpeg.has_value());
    EXPECT_TRUE(fixtures::same_pixels(decoded(*png), image));
    EXPECT_TRUE(fixtures::same_pixels(decoded(*jpeg), image, 2));
  }
}

}  // namespace
}  // namespace tessera
