#pragma once
// What the kernels' tests share: sizes at the edges of vectors, seeded numbers, a value no kernel may write over.

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <random>
#include <set>
#include <vector>

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
  std::size_t below(std::size_t n) const { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }

 private:
  explicit Rng(unsigned long seed)
      : engine_(seed), trace_(__FILE__, __LINE__, "seed: TESSERA_SEED=" + std::to_string(seed)) {}
  mutable std::mt19937_64 engine_;
  testing::ScopedTrace trace_;
};

}  // namespace tessera
