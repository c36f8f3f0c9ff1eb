#pragma once
// Where tests and fuzzing take their decisions from: a seeded generator, or the bytes of a fuzzer.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <string>

namespace tessera::boxdecode::testing {

class Choices {
 public:
  virtual ~Choices() = default;
  virtual std::uint32_t bits() = 0;

  std::uint32_t below(std::uint32_t n) { return n <= 1 ? 0 : bits() % n; }
  std::int32_t between(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(high - low + 1)));
  }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  T pick(const T (&from)[N]) {
    return from[below(N)];
  }
  float uniform(float low, float high) { return low + (high - low) * (static_cast<float>(bits() >> 8) / 16777216.0f); }
};

/// Seeded; the seed is printed by failing tests and can be set with TESSERA_TEST_SEED.
class SeededChoices : public Choices {
 public:
  explicit SeededChoices(std::uint32_t salt = 0) : seed_(base_seed() + salt), engine_(seed_) {}
  std::uint32_t bits() override { return static_cast<std::uint32_t>(engine_()); }
  std::string where() const { return "rerun with TESSERA_TEST_SEED=" + std::to_string(base_seed()); }

 private:
  static std::uint32_t base_seed() {
    const char* set = std::getenv("TESSERA_TEST_SEED");
    return set != nullptr ? static_cast<std::uint32_t>(std::strtoul(set, nullptr, 10)) : 20240229u;
  }
  std::uint32_t seed_;
  std::mt19937 engine_;
};

/// A fuzzer's bytes, then a generator seeded by their number, so that short inputs still make whole cases.
class ByteChoices : public Choices {
 public:
  explicit ByteChoices(std::span<const std::uint8_t> bytes)
      : bytes_(bytes), engine_(static_cast<std::uint32_t>(bytes.size())) {}
  std::uint32_t bits() override {
    if (bytes_.size() < 2) return static_cast<std::uint32_t>(engine_());
    // Two bytes decide, spread over the word: `below` of small n sees the low one, `uniform` the high one.
    const std::uint32_t v = bytes_[0] | std::uint32_t{bytes_[1]} << 24 | std::uint32_t{bytes_[1]} << 8;
    bytes_ = bytes_.subspan(2);
    return v;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::mt19937 engine_;
};

}  // namespace tessera::boxdecode::testing
