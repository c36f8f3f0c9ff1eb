#pragma once
// For the tests of image and canvas: testdata/images and the formulas its pictures were made from (see make.sh there).

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "image/image.h"

namespace tessera::fixtures {

inline constexpr int kWidth = 16, kHeight = 12;

inline Rgb base_color(int x, int y) {
  return {static_cast<std::uint8_t>(16 * x), static_cast<std::uint8_t>(20 * y), static_cast<std::uint8_t>(7 * x * y)};
}
inline Rgb smooth_color(int x, int y) {
  return {static_cast<std::uint8_t>(15 * x), static_cast<std::uint8_t>(20 * y), 120};
}

inline std::vector<std::byte> file(const std::string& name) {
  auto bytes = read_file(std::string(TESSERA_TESTDATA) + "/images/" + name);
  if (!bytes.has_value()) {
    ADD_FAILURE() << bytes.error().message;
    return {};
  }
  return *bytes;
}

/// Decodes or fails the test; then an empty image.
inline Image decoded(std::span<const std::byte> bytes, const DecodeOptions& options = {}) {
  auto image = decode_image(bytes, options);
  if (!image.has_value()) {
    ADD_FAILURE() << image.error().message;
    return {};
  }
  return *image;
}

/// The error of decoding, as "code: message"; "no error" if there was none.
inline std::string error_of(std::span<const std::byte> bytes, const DecodeOptions& options = {}) {
  const auto image = decode_image(bytes, options);
  if (image.has_value()) return "no error";
  return std::string(to_string(image.error().code)) + ": " + image.error().message;
}

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

/// Every pixel within `tolerance` of color(x, y); says how many are not and which is worst.
template <class Color>
::testing::AssertionResult pixels_are(const Image& image, int width, int height, Color color, int tolerance = 0) {
  if (image.width != width || image.height != height) {
    return ::testing::AssertionFailure() << image.width << "x" << image.height << ", want " << width << "x" << height;
  }
  int wrong = 0, worst = tolerance;
  std::string where;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Rgb have = image.pixel(x, y), want = color(x, y);
      const int off = std::max({std::abs(have.r - want.r), std::abs(have.g - want.g), std::abs(have.b - want.b)});
      wrong += off > tolerance;
      if (off <= worst) continue;
      worst = off;
      const auto name = [](Rgb c) {
        return "(" + std::to_string(c.r) + "," + std::to_string(c.g) + "," + std::to_string(c.b) + ")";
      };
      where = "(" + std::to_string(x) + "," + std::to_string(y) + "): " + name(have) + ", want " + name(want);
    }
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << wrong << " pixels off by more than " << tolerance << ", worst at " << where;
}

inline ::testing::AssertionResult same_pixels(const Image& a, const Image& b, int tolerance = 0) {
  return pixels_are(
      a, b.width, b.height, [&](int x, int y) { return b.pixel(x, y); }, tolerance);
}

}  // namespace tessera::fixtures
