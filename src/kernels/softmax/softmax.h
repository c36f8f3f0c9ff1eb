#pragma once
// Softmax over the channels of each pixel: dst[i] = e^(src[i] - m) / sum of e^(src[j] - m), m the greatest.
//
// Relative error of a result: below 6e-7 + 2^-24 * (2 + |src[i] - m|); results below 1e-38 may be 0. A NaN or plus
// infinity among the channels, or minus infinity alone, makes the whole pixel NaN. avx2, avx512 and neon give the same
// numbers. dst may be src (same stride), otherwise they may not overlap.

#include <span>

#include "kernels/pixels.h"
#include "kernels/variant.h"

namespace tessera {

using SoftmaxF32 = void(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c);
std::span<const Variant<SoftmaxF32>> softmax_f32_variants();

}  // namespace tessera
