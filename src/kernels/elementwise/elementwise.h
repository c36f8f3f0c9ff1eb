#pragma once
// Sums and products of values of one shape, then an activation.
//
// add: dst = act(((srcs[0] + srcs[1]) + srcs[2]) + ...), each sum rounded to float; at least one source.
// mul: dst = act(a * b); b has the channels of a (stride 0: one factor per channel for all pixels) or, with
//      b_per_pixel, one channel only, a factor for the whole pixel.
// Before the activation every variant gives the same bits; its errors are those of vec_math.h. NaN gives NaN.
// dst may be one of the sources (same data and stride), otherwise they may not overlap.

#include <span>

#include "base/activation.h"
#include "kernels/pixels.h"
#include "kernels/variant.h"

namespace tessera {

using AddF32 = void(std::span<const Pixels> srcs, MutablePixels dst, std::int64_t pixels, std::int64_t c,
                    ActivationSpec act);
using MulF32 = void(Pixels a, Pixels b, bool b_per_pixel, MutablePixels dst, std::int64_t pixels, std::int64_t c,
                    ActivationSpec act);
std::span<const Variant<AddF32>> add_f32_variants();
std::span<const Variant<MulF32>> mul_f32_variants();

}  // namespace tessera
