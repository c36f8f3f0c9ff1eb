#pragma once
// Four floats in the compiler's portable vectors: SSE2 on x86, whatever the baseline has elsewhere. For the plain C++
// variants, which one float at a time would make four times as slow. See kernels/activation/vec_math.h.

#include <bit>
#include <cstdint>

#include "kernels/activation/vec_math.h"

namespace tessera {
namespace {

struct VecPortable {
  using Reg = float __attribute__((vector_size(16)));
  using Bits = std::int32_t __attribute__((vector_size(16)));  // a comparison gives all ones or zeros per lane
  static constexpr int kLanes = 4;

  static Reg set1(float v) { return Reg{v, v, v, v}; }
  static Reg load(const float* p) { return Reg{p[0], p[1], p[2], p[3]}; }
  static void store(float* p, Reg v) { __builtin_memcpy(p, &v, sizeof v); }
  static Reg load_first(const float* p, int n) {
    Reg v{};
    for (int i = 0; i < n; ++i) v[i] = p[i];
    return v;
  }
  static void store_first(float* p, Reg v, int n) {
    for (int i = 0; i < n; ++i) p[i] = v[i];
  }

  static Reg add(Reg a, Reg b) { return a + b; }
  static Reg sub(Reg a, Reg b) { return a - b; }
  static Reg mul(Reg a, Reg b) { return a * b; }
  static Reg div(Reg a, Reg b) { return a / b; }
  static Reg fma(Reg a, Reg b, Reg c) { return a * b + c; }  // rounded twice
  static Reg fnma(Reg a, Reg b, Reg c) { return c - a * b; }
  static Reg max(Reg a, Reg b) { return a > b ? a : b; }  // b when either is NaN or both are zeros
  static Reg min(Reg a, Reg b) { return a < b ? a : b; }

  static Reg abs(Reg v) { return std::bit_cast<Reg>(std::bit_cast<Bits>(v) & 0x7fffffff); }
  static Reg with_sign_of(Reg magnitude, Reg v) {
    return std::bit_cast<Reg>(std::bit_cast<Bits>(magnitude) | (std::bit_cast<Bits>(v) & INT32_MIN));
  }
  static Reg select_negative(Reg v, Reg yes, Reg no) { return std::bit_cast<Bits>(v) < 0 ? yes : no; }
  static Reg select_less(Reg a, Reg b, Reg yes, Reg no) { return a < b ? yes : no; }  // no when either is NaN
  static Reg low_bits_to_exponent(Reg v) { return std::bit_cast<Reg>(std::bit_cast<Bits>(v) << 23); }
};

}  // namespace
}  // namespace tessera
