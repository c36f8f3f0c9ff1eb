#pragma once
// 8 floats in a register, for files compiled for AVX2 + FMA. See vec_math.h for what is built on it.

#include <immintrin.h>

namespace tessera {
namespace {

struct VecAvx2 {
  using Reg = __m256;
  static constexpr int kLanes = 8;

  static Reg set1(float v) { return _mm256_set1_ps(v); }
  static Reg load(const float* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, Reg v) { _mm256_storeu_ps(p, v); }
  // The first n lanes, 0 <= n <= kLanes; nothing else is touched. Other lanes load as 0.
  static Reg load_first(const float* p, int n) { return _mm256_maskload_ps(p, first(n)); }
  static void store_first(float* p, Reg v, int n) { _mm256_maskstore_ps(p, first(n), v); }

  static Reg add(Reg a, Reg b) { return _mm256_add_ps(a, b); }
  static Reg sub(Reg a, Reg b) { return _mm256_sub_ps(a, b); }
  static Reg mul(Reg a, Reg b) { return _mm256_mul_ps(a, b); }
  static Reg div(Reg a, Reg b) { return _mm256_div_ps(a, b); }
  static Reg fma(Reg a, Reg b, Reg c) { return _mm256_fmadd_ps(a, b, c); }    // a * b + c, rounded once
  static Reg fnma(Reg a, Reg b, Reg c) { return _mm256_fnmadd_ps(a, b, c); }  // c - a * b
  static Reg max(Reg a, Reg b) { return _mm256_max_ps(a, b); }                // b when either is NaN or both are zeros
  static Reg min(Reg a, Reg b) { return _mm256_min_ps(a, b); }
  static Reg max_number(Reg v, Reg best) { return _mm256_max_ps(v, best); }  // a NaN in v is passed over

  static Reg abs(Reg v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v); }
  static Reg with_sign_of(Reg magnitude, Reg v) {  // magnitude >= 0
    return _mm256_or_ps(magnitude, _mm256_and_ps(v, _mm256_set1_ps(-0.0f)));
  }
  static Reg select_negative(Reg v, Reg yes, Reg no) { return _mm256_blendv_ps(no, yes, v); }  // by the sign bit
  static Reg select_less(Reg a, Reg b, Reg yes, Reg no) {                                      // no when either is NaN
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
  }
  // The 9 lowest bits become sign and exponent: a biased exponent e gives 2^(e - 127), 0 gives 0, 255 infinity.
  static Reg low_bits_to_exponent(Reg v) { return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(v), 23)); }

  // Lanes combined in a fixed order: halves onto halves.
  static float reduce_add(Reg v) {
    return fold(v, [](__m128 a, __m128 b) { return _mm_add_ps(a, b); });
  }
  static float reduce_max(Reg v) {
    return fold(v, [](__m128 a, __m128 b) { return _mm_max_ps(a, b); });
  }

 private:
  static __m256i first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  template <class Op>
  static float fold(Reg v, Op op) {
    const __m128 four = op(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = op(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(op(two, _mm_movehdup_ps(two)));
  }
};
using Vec = VecAvx2;

}  // namespace
}  // namespace tessera

#include "kernels/activation/vec_math.h"
