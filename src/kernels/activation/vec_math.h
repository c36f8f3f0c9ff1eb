#pragma once
// exp and the activations over one register, written once over the vector type V of vec_<isa>.h (which include this).
// Everything stands in the unnamed namespace: each file compiled with its own instruction set keeps its own copy.
//
// The same operations in the same order on every ISA, and division is the correctly rounded one: avx2, avx512 and neon
// give the same bits. scalar rounds twice where they fuse. On AVX-512, rcp14 with a Newton step and scalef were
// measured and gain nothing over this.
//
// Errors, for all finite x, against the real function (activation_test.cc measures each over the whole float range):
//   exp       3e-7 relative where the result is normal; below x = -87.69 it is 0, above x = 88.37 infinity
//   mish      1e-6 * max(1, |x|)      silu, logistic, tanh   5e-7 * max(1, |x|)
// NaN gives NaN. At minus infinity mish, silu, hard_mish and hard_swish give -0, logistic 0; at plus infinity x or 1.

#include "base/activation.h"

namespace tessera {
namespace {

// e^r = 1 + r * (1 + r * (kExp[0] + ...)), |r| <= log(2) / 2: minimax in relative error (1.05e-7) with the first two
// terms held at 1, coefficients rounded to float one after the other and the rest fitted again each time.
constexpr float kExp[] = {0x1.fffdfcp-2f, 0x1.5557b0p-3f, 0x1.572a3cp-5f, 0x1.106208p-7f};
constexpr float kLog2E = 0x1.715476p+0f;
constexpr float kLn2 = 0x1.62e430p-1f;      // 1.9e-9 too large
constexpr float kLn2High = 0x1.62e4p-1f;    // 15 bits: times an integer below 2^8 it is exact, fused or not
constexpr float kLn2Low = 0x1.7f7d1cp-20f;  // log(2) - kLn2High
constexpr float kExpLow = -88.3f;           // 2^k with k = -127 is made as the bits of 0: exp is 0 from here down
constexpr float kExpHigh = 88.7f;           // k = 128: infinity
// Adding 1.5 * 2^23 rounds to an integer (kept in the low bits); 127 more is the exponent's bias.
constexpr float kRoundAndBias = 12582912.0f + 127.0f;

enum class ExpPrecision { full, relaxed };  // relaxed: one step for x - k log(2), relative error up to 6e-8 * |x| more

// x must already lie in [kExpLow, kExpHigh] (or be NaN).
template <class V, ExpPrecision precision>
[[gnu::always_inline]] inline typename V::Reg exp_in_range(typename V::Reg x) {
  const auto biased = V::fma(x, V::set1(kLog2E), V::set1(kRoundAndBias));
  const auto k = V::sub(biased, V::set1(kRoundAndBias));
  auto r = V::fnma(k, V::set1(precision == ExpPrecision::full ? kLn2High : kLn2), x);
  if constexpr (precision == ExpPrecision::full) r = V::fnma(k, V::set1(kLn2Low), r);
  auto p = V::fma(V::set1(kExp[3]), r, V::set1(kExp[2]));
  p = V::fma(p, r, V::set1(kExp[1]));
  p = V::fma(p, r, V::set1(kExp[0]));
  p = V::fma(p, r, V::set1(1.0f));
  p = V::fma(p, r, V::set1(1.0f));
  return V::mul(p, V::low_bits_to_exponent(biased));
}

// max and min give their second operand when either is NaN: the constants stand first, so NaN passes through.
template <class V>
[[gnu::always_inline]] inline typename V::Reg exp(typename V::Reg x) {
  return exp_in_range<V, ExpPrecision::full>(V::min(V::set1(kExpHigh), V::max(V::set1(kExpLow), x)));
}

// x * tanh(log(1 + n)) = x * (n^2 + 2n) / (n^2 + 2n + 2), n = e^x (Misra 2019, arXiv:1908.08681). No cancellation
// anywhere. From x = 20 on the quotient is 1 in float, so n stops there and n^2 cannot overflow; from kExpLow down n
// is 0 and x stops too, so that minus infinity gives -0 and not infinity * 0. An error d of n costs |x| * n * d at
// most.
template <class V>
[[gnu::always_inline]] inline typename V::Reg mish(typename V::Reg x) {
  const auto low = V::max(V::set1(kExpLow), x);
  const auto n = exp_in_range<V, ExpPrecision::relaxed>(V::min(V::set1(20.0f), low));
  const auto m = V::fma(n, n, V::add(n, n));
  return V::mul(low, V::div(m, V::add(m, V::set1(2.0f))));
}

// 1 / (1 + e^-x) as n / (1 + n): small values keep their relative accuracy and the lowest is 0.
template <class V>
[[gnu::always_inline]] inline typename V::Reg logistic(typename V::Reg x) {
  const auto n = exp_in_range<V, ExpPrecision::full>(V::min(V::set1(80.0f), V::max(V::set1(kExpLow), x)));
  return V::div(n, V::add(n, V::set1(1.0f)));
}

template <class V>
[[gnu::always_inline]] inline typename V::Reg silu(typename V::Reg x) {
  const auto low = V::max(V::set1(kExpLow), x);
  const auto n = exp_in_range<V, ExpPrecision::relaxed>(V::min(V::set1(80.0f), low));
  return V::mul(low, V::div(n, V::add(n, V::set1(1.0f))));
}

// tanh(x) = x + x^3 * (kTanh[0] + ...) for |x| < 0.625 (minimax, 1.4e-7 relative), else from e^(2|x|): there the
// subtraction loses less than two bits. Below, it would lose them all.
constexpr float kTanh[] = {-0.33332282f, 0.13307089f, -0.051892526f, 0.015111883f};

template <class V>
[[gnu::always_inline]] inline typename V::Reg tanh(typename V::Reg x) {
  const auto magnitude = V::abs(x);
  const auto n = exp_in_range<V, ExpPrecision::relaxed>(V::min(V::set1(20.0f), V::add(magnitude, magnitude)));
  const auto large = V::sub(V::set1(1.0f), V::div(V::set1(2.0f), V::add(n, V::set1(1.0f))));
  const auto square = V::mul(magnitude, magnitude);
  auto p = V::fma(V::set1(kTanh[3]), square, V::set1(kTanh[2]));
  p = V::fma(p, square, V::set1(kTanh[1]));
  p = V::fma(p, square, V::set1(kTanh[0]));
  const auto small = V::fma(V::mul(p, square), magnitude, magnitude);
  return V::with_sign_of(V::select_less(magnitude, V::set1(0.625f), small, large), x);
}

// x * clamp(x + 2, 0, 2) / 2; x itself stops at -2, where the clamp is 0 from there down.
template <class V>
[[gnu::always_inline]] inline typename V::Reg hard_mish(typename V::Reg x) {
  const auto low = V::max(V::set1(-2.0f), x);
  return V::mul(low, V::mul(V::set1(0.5f), V::min(V::set1(2.0f), V::add(low, V::set1(2.0f)))));
}

// x * clamp(x + 3, 0, 6) / 6 (Howard et al. 2019, arXiv:1905.02244). The factor 6 / 6 must be exactly 1, so divide
// last.
template <class V>
[[gnu::always_inline]] inline typename V::Reg hard_swish(typename V::Reg x) {
  const auto low = V::max(V::set1(-3.0f), x);
  return V::mul(low, V::mul(V::set1(1.0f / 6.0f), V::min(V::set1(6.0f), V::add(low, V::set1(3.0f)))));
}

/// One activation, chosen when compiling; alpha is the slope of leaky below zero and unused elsewhere.
template <class V, Activation kind>
[[gnu::always_inline]] inline typename V::Reg activate(typename V::Reg x, [[maybe_unused]] typename V::Reg alpha) {
  if constexpr (kind == Activation::relu) return V::max(V::set1(0.0f), x);
  if constexpr (kind == Activation::relu6) return V::min(V::set1(6.0f), V::max(V::set1(0.0f), x));
  if constexpr (kind == Activation::leaky) return V::select_negative(x, V::mul(x, alpha), x);
  if constexpr (kind == Activation::mish) return mish<V>(x);
  if constexpr (kind == Activation::hard_mish) return hard_mish<V>(x);
  if constexpr (kind == Activation::silu) return silu<V>(x);
  if constexpr (kind == Activation::logistic) return logistic<V>(x);
  if constexpr (kind == Activation::hard_swish) return hard_swish<V>(x);
  if constexpr (kind == Activation::tanh) return tanh<V>(x);
  return x;
}

/// Calls f.operator()<kind>() with the activation as a compile-time constant: outside loops, once per tile.
template <class F>
[[gnu::always_inline]] inline decltype(auto) with_activation(Activation kind, F&& f) {
  switch (kind) {
    case Activation::linear:
      break;
    case Activation::relu:
      return f.template operator()<Activation::relu>();
    case Activation::relu6:
      return f.template operator()<Activation::relu6>();
    case Activation::leaky:
      return f.template operator()<Activation::leaky>();
    case Activation::mish:
      return f.template operator()<Activation::mish>();
    case Activation::hard_mish:
      return f.template operator()<Activation::hard_mish>();
    case Activation::silu:
      return f.template operator()<Activation::silu>();
    case Activation::logistic:
      return f.template operator()<Activation::logistic>();
    case Activation::hard_swish:
      return f.template operator()<Activation::hard_swish>();
    case Activation::tanh:
      return f.template operator()<Activation::tanh>();
  }
  return f.template operator()<Activation::linear>();
}

}  // namespace
}  // namespace tessera
