#include "boxdecode/cutoff.h"

#include <cmath>
#include <type_traits>

#include "boxdecode/numbers.h"

namespace tessera::boxdecode {
namespace {

template <class E>
bool reaches(std::uint32_t k, ScoreActivation activation, float threshold, Quant quant) noexcept {
  return activate(activation, E::value(word_of<E>(k), quant)) >= threshold;
}

// The interval of {w : key(w) >= k}. Negative words run backwards, so those above the cutoff are adjacent to 0x80...0
// (-0).
template <class E>
RawInterval interval_from(std::uint32_t k) noexcept {
  if constexpr (std::is_same_v<E, S8>) {
    const std::uint32_t q = k ^ E::kSign;  // the raw byte; upwards from it, wrapping at 0xFF -> 0x00
    return {q, 0xFFu - k};                 // to 0x7F
  } else if (k > E::kSign) {
    return {k - E::kSign, (E::kSign - 1) - (k - E::kSign)};
  } else {
    return {0, k == E::kSign ? E::kSign : ~k & E::kKeyMask};
  }
}

}  // namespace

template <class E>
Cutoff find_cutoff(ScoreActivation activation, float threshold, Quant quant) noexcept {
  // Monotone: below `low - 1` nothing reaches the threshold; `high` does (or, for s8, is one beyond the last byte).
  std::uint32_t low = 0, high = E::kKeyMask + 1;
  if constexpr (!std::is_same_v<E, S8>) {
    low = E::kInfinity ^ E::kSign ^ E::kKeyMask;  // key of -inf
    high = (E::kInfinity | E::kSign) - 1;         // key of the largest finite value: reaches every T < 1
  }
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (reaches<E>(middle, activation, threshold, quant)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if constexpr (std::is_same_v<E, S8>) {
    if (low > E::kKeyMask) return {low, true, {}};
  } else if (low == E::kSign - 1) {
    low = E::kSign;  // the place of -0 is never produced: the lowest real key is that of zero
  }
  return {low, false, interval_from<E>(low)};
}

template <class E>
Cutoff admit_all() noexcept {
  return {0, false, {0, E::kKeyMask}};
}

template Cutoff find_cutoff<F32>(ScoreActivation, float, Quant) noexcept;
template Cutoff find_cutoff<BF16>(ScoreActivation, float, Quant) noexcept;
template Cutoff find_cutoff<S8>(ScoreActivation, float, Quant) noexcept;
template Cutoff admit_all<F32>() noexcept;
template Cutoff admit_all<BF16>() noexcept;
template Cutoff admit_all<S8>() noexcept;

}  // namespace tessera::boxdecode
