#pragma once
// 16 floats in a register, for files compiled for AVX-512 (F, BW, DQ, VL). See vec_math.h for what is built on it.

#include <immintrin.h>

namespace tessera {
namespace {

struct VecAvx512 {
  using Reg = __m512;
  static constexpr int kLanes = 16;

  static Reg set1(float v) { return _mm512_set1_ps(v); }
  static Reg load(const float* p) { return _mm512_loadu_ps(p); }
  static void store(float* p, Reg v) { _mm512_storeu_ps(p, v); }
  // The first n lanes, 0 <= n <= kLanes; nothing else is touched. Other lanes load as 0.
  static Reg load_first(const float* p, int n) { return _mm512_maskz_loadu_ps(first(n), p); }
  static void store_first(float* p, Reg v, int n) { _mm512_mask_storeu_ps(p, first(n), v); }

  static Reg add(Reg a, Reg b) { return _mm512_add_ps(a, b); }
  static Reg sub(Reg a, Reg b) { return _mm512_sub_ps(a, b); }
  static Reg mul(Reg a, Reg b) { return _mm512_mul_ps(a, b); }
  static Reg div(Reg a, Reg b) { return _mm512_div_ps(a, b); }
  static Reg fma(Reg a, Reg b, Reg c) { return _mm512_fmadd_ps(a, b, c); }    // a * b + c, rounded once
  static Reg fnma(Reg a, Reg b, Reg c) { return _mm512_fnmadd_ps(a, b, c); }  // c - a * b
  static Reg max(Reg a, Reg b) { return _mm512_max_ps(a, b); }                // b when either is NaN or both are zeros
  static Reg min(Reg a, Reg b) { return _mm512_min_ps(a, b); }
  static Reg max_number(Reg v, Reg best) { return _mm512_max_ps(v, best); }  // a NaN in v is passed over

  static Reg abs(Reg v) { return _mm512_abs_ps(v); }
  static Reg with_sign_of(Reg magnitude, Reg v) {  // magnitude >= 0
    return _mm512_or_ps(magnitude, _mm512_and_ps(v, _mm512_set1_ps(-0.0f)));
  }
  static Reg select_negative(Reg v, Reg yes, Reg no) {  // by the sign bit
    return _mm512_mask_blend_ps(_mm512_movepi32_mask(_mm512_castps_si512(v)), no, yes);
  }
  static Reg select_less(Reg a, Reg b, Reg yes, Reg no) {  // no when either is NaN
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
  }
  // The 9 lowest bits become sign and exponent: a biased exponent e gives 2^(e - 127), 0 gives 0, 255 infinity.
  static Reg low_bits_to_exponent(Reg v) { return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(v), 23)); }

  // Lanes combined in a fixed order: halves onto halves.
  static float reduce_add(Reg v) {
    return fold(v, [](__m128 a, __m128 b) { return _mm_add_ps(a, b); });
  }
  static float reduce_max(Reg v) {
    return fold(v, [](__m128 a, __m128 b) { return _mm_max_ps(a, b); });
  }

 private:
  static __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1u); }
  template <class Op>
  static float fold(Reg v, Op op) {
    const __m128 low = op(_mm512_extractf32x4_ps(v, 0), _mm512_extractf32x4_ps(v, 2));
    const __m128 high = op(_mm512_extractf32x4_ps(v, 1), _mm512_extractf32x4_ps(v, 3));
    const __m128 four = op(low, high);
    const __m128 two = op(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(op(two, _mm_movehdup_ps(two)));
  }
};
using Vec = VecAvx512;

}  // namespace
}  // namespace tessera

#include "kernels/activation/vec_math.h"
