#pragma once
// The functions of base/elementwise.h over runs of floats.
//
// binary: dst[i] = kind(a[i * a_step], b[i * b_step]), steps 0 (one number for all) or 1.
// unary:  dst[i] = kind(src[i]).
// dst may be an operand that steps by 1, otherwise they may not overlap. Errors against the functions of
// function_value.h: exp, elu and gelu_tanh as in vec_math.h (1e-6 * max(1, |result|)); hard_sigmoid rounds twice; all
// others are rounded once. NaN where the formula gives it. avx2, avx512 and neon give the same numbers.

#include <span>

#include "base/elementwise.h"
#include "kernels/variant.h"

namespace tessera {

using BinaryF32 = void(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                       float* dst, std::int64_t n);
using UnaryF32 = void(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n);
std::span<const Variant<BinaryF32>> binary_f32_variants();
std::span<const Variant<UnaryF32>> unary_f32_variants();

}  // namespace tessera
