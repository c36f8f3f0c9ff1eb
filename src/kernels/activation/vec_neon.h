#pragma once
// 4 floats in a register, for AArch64. See vec_math.h for what is built on it.

#include <arm_neon.h>

namespace tessera {
namespace {

struct VecNeon {
  using Reg = float32x4_t;
  static constexpr int kLanes = 4;

  static Reg set1(float v) { return vdupq_n_f32(v); }
  static Reg load(const float* p) { return vld1q_f32(p); }
  static void store(float* p, Reg v) { vst1q_f32(p, v); }
  // The first n lanes, 0 <= n <= kLanes; nothing else is touched. Other lanes load as 0.
  static Reg load_first(const float* p, int n) {
    float lanes[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; ++i) lanes[i] = p[i];
    return vld1q_f32(lanes);
  }
  static void store_first(float* p, Reg v, int n) {
    float lanes[4];
    vst1q_f32(lanes, v);
    for (int i = 0; i < n; ++i) p[i] = lanes[i];
  }

  static Reg add(Reg a, Reg b) { return vaddq_f32(a, b); }
  static Reg sub(Reg a, Reg b) { return vsubq_f32(a, b); }
  static Reg mul(Reg a, Reg b) { return vmulq_f32(a, b); }
  static Reg div(Reg a, Reg b) { return vdivq_f32(a, b); }
  static Reg fma(Reg a, Reg b, Reg c) { return vfmaq_f32(c, a, b); }   // a * b + c, rounded once
  static Reg fnma(Reg a, Reg b, Reg c) { return vfmsq_f32(c, a, b); }  // c - a * b
  static Reg max(Reg a, Reg b) { return vmaxq_f32(a, b); }             // NaN when either is NaN
  static Reg min(Reg a, Reg b) { return vminq_f32(a, b); }
  // A NaN in v is passed over. Not fmaxnm: it would turn a signalling NaN into a result.
  static Reg max_number(Reg v, Reg best) { return vbslq_f32(vcgtq_f32(v, best), v, best); }

  static Reg abs(Reg v) { return vabsq_f32(v); }
  static Reg with_sign_of(Reg magnitude, Reg v) { return vbslq_f32(vdupq_n_u32(0x80000000u), v, magnitude); }
  static Reg select_negative(Reg v, Reg yes, Reg no) {  // by the sign bit
    return vbslq_f32(vcltzq_s32(vreinterpretq_s32_f32(v)), yes, no);
  }
  static Reg select_less(Reg a, Reg b, Reg yes, Reg no) { return vbslq_f32(vcltq_f32(a, b), yes, no); }  // NaN: no
  // The 9 lowest bits become sign and exponent: a biased exponent e gives 2^(e - 127), 0 gives 0, 255 infinity.
  static Reg low_bits_to_exponent(Reg v) { return vreinterpretq_f32_u32(vshlq_n_u32(vreinterpretq_u32_f32(v), 23)); }

  // Lanes combined in a fixed order: halves onto halves.
  static float reduce_add(Reg v) {
    const float32x2_t two = vadd_f32(vget_low_f32(v), vget_high_f32(v));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
  }
  static float reduce_max(Reg v) { return vmaxvq_f32(v); }
};
using Vec = VecNeon;

}  // namespace
}  // namespace tessera

#include "kernels/activation/vec_math.h"
