#pragma once
// One float as a vector of one lane: plain C++ with the vector files' algorithms. See vec_math.h.

#include <bit>
#include <cmath>
#include <cstdint>

namespace tessera {
namespace {

struct VecScalar {
  using Reg = float;
  static constexpr int kLanes = 1;

  static Reg set1(float v) { return v; }
  static Reg load(const float* p) { return *p; }
  static void store(float* p, Reg v) { *p = v; }
  static Reg load_first(const float* p, int n) { return n > 0 ? *p : 0.0f; }
  static void store_first(float* p, Reg v, int n) {
    if (n > 0) *p = v;
  }

  static Reg add(Reg a, Reg b) { return a + b; }
  static Reg sub(Reg a, Reg b) { return a - b; }
  static Reg mul(Reg a, Reg b) { return a * b; }
  static Reg div(Reg a, Reg b) { return a / b; }
  static Reg fma(Reg a, Reg b, Reg c) { return a * b + c; }  // rounded twice: std::fma may be a slow call
  static Reg fnma(Reg a, Reg b, Reg c) { return c - a * b; }
  static Reg max(Reg a, Reg b) { return a > b ? a : b; }  // b when either is NaN or both are zeros
  static Reg min(Reg a, Reg b) { return a < b ? a : b; }
  static Reg max_number(Reg v, Reg best) { return v > best ? v : best; }  // a NaN in v is passed over

  static Reg abs(Reg v) { return std::fabs(v); }
  static Reg with_sign_of(Reg magnitude, Reg v) { return std::copysign(magnitude, v); }
  static Reg select_negative(Reg v, Reg yes, Reg no) { return std::signbit(v) ? yes : no; }  // by the sign bit
  static Reg select_less(Reg a, Reg b, Reg yes, Reg no) { return a < b ? yes : no; }         // no when either is NaN
  // The 9 lowest bits become sign and exponent: a biased exponent e gives 2^(e - 127), 0 gives 0, 255 infinity.
  static Reg low_bits_to_exponent(Reg v) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) << 23); }

  static float reduce_add(Reg v) { return v; }
  static float reduce_max(Reg v) { return v; }
};
using Vec = VecScalar;

}  // namespace
}  // namespace tessera

#include "kernels/activation/vec_math.h"
