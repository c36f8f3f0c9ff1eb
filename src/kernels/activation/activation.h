#pragma once
// dst[i] = act(src[i]) over a run of floats. dst may be src, otherwise they may not overlap.
//
// Errors against the real function are those of vec_math.h; linear, relu, relu6 and leaky are exact to one rounding.
// NaN gives NaN, infinities the limits. avx2, avx512 and neon give the same numbers for every n; scalar may differ from
// them by the error bound. Sources: Misra 2019 (arXiv:1908.08681) for mish, Ramachandran et al. 2017
// (arXiv:1710.05941) for silu, Howard et al. 2019 (arXiv:1905.02244) for hard_swish.

#include <cstddef>
#include <span>

#include "base/activation.h"
#include "kernels/variant.h"

namespace tessera {

using ActivateF32 = void(const float* src, float* dst, std::size_t n, ActivationSpec act);
/// Best first; the last, "reference", computes in double and rounds once.
std::span<const Variant<ActivateF32>> activate_f32_variants();

}  // namespace tessera
