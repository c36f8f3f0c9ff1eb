#pragma once
// What the kernels' tests share: sizes at the edges of vectors, seeded numbers, planes with poison in their gaps.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "kernels/pixels.h"

namespace tessera {

inline constexpr float kPoison = -123456.75f;

/// 0, 1 and the sizes one off each given width and its double.
inline std::vector<std::size_t> sizes_around(std::initializer_list<std::size_t> widths) {
  std::set<std::size_t> sizes{0, 1};
  for (const std::size_t width : widths) {
    for (const std::size_t n : {width, 2 * width}) sizes.insert({n - 1, n, n + 1});
  }
  return {sizes.begin(), sizes.end()};
}

/// Numbers from a seed that is printed when the test fails; TESSERA_SEED sets it from outside.
class Rng {
 public:
  Rng() : Rng(std::getenv("TESSERA_SEED") ? std::strtoul(std::getenv("TESSERA_SEED"), nullptr, 10) : 20230517ul) {}
  std::vector<float> floats(std::size_t n, float low, float high) const {
    std::uniform_real_distribution<float> in(low, high);
    std::vector<float> out(n);
    for (float& v : out) v = in(engine_);
    return out;
  }
  /// Small integers: sums and products of a few thousand of them are exact in float.
  std::vector<float> integers(std::size_t n, int low, int high) const {
    std::uniform_int_distribution<int> in(low, high);
    std::vector<float> out(n);
    for (float& v : out) v = static_cast<float>(in(engine_));
    return out;
  }
  /// Half of them ordinary, the others zeros of both signs, infinities, NaN, the largest and the smallest numbers.
  std::vector<float> specials(std::size_t n) const {
    using Limits = std::numeric_limits<float>;
    const float rare[] = {0.0f,
                          -0.0f,
                          Limits::infinity(),
                          -Limits::infinity(),
                          Limits::quiet_NaN(),
                          Limits::max(),
                          Limits::lowest(),
                          Limits::min(),
                          Limits::denorm_min()};
    std::vector<float> out = floats(n, -4, 4);
    for (float& v : out) {
      if (below(2) == 0) v = rare[below(std::size(rare))];
    }
    return out;
  }
  std::size_t below(std::size_t n) const { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }

 private:
  explicit Rng(unsigned long seed)
      : engine_(seed), trace_(__FILE__, __LINE__, "seed: TESSERA_SEED=" + std::to_string(seed)) {}
  mutable std::mt19937_64 engine_;
  testing::ScopedTrace trace_;
};

/// Pixels of c channels in a wider buffer whose other floats are poison: what a kernel may read, write and not touch.
class Plane {
 public:
  Plane(std::int64_t pixels, std::int64_t c, std::int64_t gap)
      : pixels_(pixels), c_(c), stride_(c + gap), buffer_(static_cast<std::size_t>(pixels * stride_ + 1), kPoison) {}
  Plane(std::int64_t pixels, std::int64_t c, std::int64_t gap, const std::vector<float>& values)
      : Plane(pixels, c, gap) {
    for (std::int64_t p = 0; p < pixels_; ++p) {
      for (std::int64_t i = 0; i < c_; ++i) at(p, i) = values[static_cast<std::size_t>(p * c_ + i)];
    }
  }
  float& at(std::int64_t p, std::int64_t i) { return buffer_[static_cast<std::size_t>(p * stride_ + i)]; }
  float* data() { return buffer_.data(); }
  std::int64_t stride() const { return stride_; }
  operator Pixels() const { return {buffer_.data(), stride_}; }
  operator MutablePixels() { return {buffer_.data(), stride_}; }

  /// The channels, without the gaps.
  std::vector<float> values() {
    std::vector<float> out;
    for (std::int64_t p = 0; p < pixels_; ++p) {
      for (std::int64_t i = 0; i < c_; ++i) out.push_back(at(p, i));
    }
    return out;
  }
  /// Nothing was written between the pixels or behind the last.
  bool gaps_untouched() const {
    for (std::size_t k = 0; k < buffer_.size(); ++k) {
      const auto channel = stride_ == 0 ? 0 : static_cast<std::int64_t>(k) % stride_;
      const bool gap = channel >= c_ || k + 1 == buffer_.size();
      if (gap && buffer_[k] != kPoison) return false;
    }
    return true;
  }

 private:
  std::int64_t pixels_, c_, stride_;
  std::vector<float> buffer_;
};

/// Equal numbers place by place: NaN equals NaN, zeros are equal whatever their sign.
inline testing::AssertionResult same_numbers(const std::vector<float>& got, const std::vector<float>& want) {
  if (got.size() != want.size()) return testing::AssertionFailure() << got.size() << " numbers, want " << want.size();
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    if (got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << wrong << " of " << got.size() << " differ, first [" << first
                                     << "]: " << got[first] << ", want " << want[first];
}

}  // namespace tessera
