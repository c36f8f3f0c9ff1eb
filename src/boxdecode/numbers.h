#pragma once
// The number rules: one sigmoid, one exponential, what stored elements are worth, and keys that order them.

#include <tessera/boxdecode/params.h>
#include <tessera/tensor.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tessera::boxdecode {

static_assert(std::endian::native == std::endian::little, "stored words are little-endian");

// In double and rounded once: monotone over all inputs and practically independent of the C library, while the float
// expression gives another last bit for thousands of bf16 inputs.
inline float sigmoid(float x) noexcept { return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(x)))); }
inline float fexp(float x) noexcept { return static_cast<float>(std::exp(static_cast<double>(x))); }

inline float activate(ScoreActivation activation, float x) noexcept {
  return activation == ScoreActivation::Sigmoid ? sigmoid(x) : x;
}

/// Both zeros become +0: an emitted score is never -0.
inline float positive_zero(float x) noexcept { return x == 0.0f ? 0.0f : x; }

/// Stored elements. `key` is unsigned and ordered as the values are, both zeros equal, NaN beyond the infinity of its
/// sign; `word_of` undoes it (the word of +0 for both zeros). kKeyMask is the largest key.
struct F32 {
  using Word = std::uint32_t;
  static constexpr DType kDType = DType::Float32;
  static constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7F800000u, kKeyMask = 0xFFFFFFFFu;
  static float value(Word word, Quant) noexcept { return std::bit_cast<float>(word); }
};

struct BF16 {
  using Word = std::uint16_t;
  static constexpr DType kDType = DType::BFloat16;
  static constexpr std::uint32_t kSign = 0x8000u, kInfinity = 0x7F80u, kKeyMask = 0xFFFFu;
  static float value(Word word, Quant) noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(word) << 16); }
};

struct S8 {
  using Word = std::uint8_t;
  static constexpr DType kDType = DType::Int8;
  static constexpr std::uint32_t kSign = 0x80u, kKeyMask = 0xFFu;
  static float value(Word word, Quant quant) noexcept {
    const std::int32_t q = static_cast<std::int8_t>(word);
    return static_cast<float>(q - quant.zero_point) * quant.scale;
  }
};

template <class E>
typename E::Word load(const std::byte* at) noexcept {
  typename E::Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

template <class E>
std::uint32_t key(typename E::Word word) noexcept {
  if constexpr (std::is_same_v<E, S8>) {
    return word ^ E::kSign;  // q + 128
  } else {
    if (word == E::kSign) word = 0;
    return (word & E::kSign) ? (~static_cast<std::uint32_t>(word) & E::kKeyMask) : (word | E::kSign);
  }
}

template <class E>
typename E::Word word_of(std::uint32_t key) noexcept {
  if constexpr (std::is_same_v<E, S8>) {
    return static_cast<typename E::Word>(key ^ E::kSign);
  } else {
    if (key == E::kSign - 1) return 0;  // the place -0 would have: never produced by key()
    return static_cast<typename E::Word>((key & E::kSign) ? key ^ E::kSign : ~key & E::kKeyMask);
  }
}

}  // namespace tessera::boxdecode
