#include "kernels/from_bytes/from_bytes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/test_support.h"

namespace tessera {
namespace {

/// What the mean and deviation of a set of photos make of a byte, and what does not fit 24 bits.
const std::vector<float> kScales{1 / (255 * 0.229f), 1 / 255.0f, -1 / (255 * 0.225f), 1, 0.1f};
const std::vector<float> kShifts{-0.485f / 0.229f, 0, 0.406f / 0.225f, -128, 1e-3f};

std::vector<float> repeated(const std::vector<float>& values, std::size_t n) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = values[i % values.size()];
  return out;
}

/// A byte of 8 bits times a float of 24 is exact in double; the sum of two floats rounded to double and then to float
/// is the sum rounded once (53 >= 2 * 24 + 2, Figueroa 1995).
float in_double(int byte, float scale, float shift) {
  const auto product = static_cast<float>(double{scale} * byte);
  return static_cast<float>(double{product} + shift);
}

TEST(FromBytes, EveryByteIsRoundedTwice) {
  for (const auto& variant : supported(from_bytes_f32_variants(), CpuInfo::detect())) {
    int told_apart = 0;  // from a fused multiply-add, which rounds once
    for (std::size_t channel = 0; channel < kScales.size(); ++channel) {
      const float scale = kScales[channel], shift = kShifts[channel];
      std::vector<std::uint8_t> bytes(256);
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
      std::vector<float> numbers(256);
      variant.run({bytes.data(), 1}, {numbers.data(), 1}, 256, 1, {&scale, &shift});
      for (int i = 0; i < 256; ++i) {
        const float got = numbers[static_cast<std::size_t>(i)];
        EXPECT_EQ(got, in_double(i, scale, shift)) << variant.name << ", byte " << i;
        told_apart += got != std::fma(static_cast<float>(i), scale, shift);
      }
    }
    EXPECT_GT(told_apart, 0) << variant.name;
  }
}

TEST(FromBytes, EveryVariantEqualsReference) {
  const Rng rng;
  const auto reference = from_bytes_f32_variants().back();
  for (const auto& variant : supported(from_bytes_f32_variants(), CpuInfo::detect())) {
    for (const std::size_t channels : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}) {
      const auto c = static_cast<std::int64_t>(channels);
      const std::vector<float> scale = repeated(kScales, channels), shift = repeated(kShifts, channels);
      for (const std::size_t count : sizes_around({4, 8, 16, 48})) {
        const auto pixels = static_cast<std::int64_t>(count);
        for (const std::int64_t gap : {0, 3}) {
          for (const std::int64_t byte_gap : {0, 2}) {
            // Not a byte behind the last pixel: who reads one is found by the address sanitizer.
            std::vector<std::uint8_t> bytes(count * static_cast<std::size_t>(c + byte_gap));
            for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.below(256));
            Plane got(pixels, c, gap), want(pixels, c, gap);
            variant.run({bytes.data(), c + byte_gap}, got, pixels, c, {scale.data(), shift.data()});
            reference.run({bytes.data(), c + byte_gap}, want, pixels, c, {scale.data(), shift.data()});
            EXPECT_EQ(got.values(), want.values())
                << variant.name << " pixels=" << pixels << " c=" << c << " gaps " << gap << " and " << byte_gap;
            EXPECT_TRUE(got.gaps_untouched()) << variant.name << " pixels=" << pixels << " c=" << c << " gap=" << gap;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
