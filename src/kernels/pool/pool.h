#pragma once
// Pooling of one image, one output row at a time. Padding never takes part: a window is cut to the image, and no window
// may lie wholly on padding.
//
// max:     a NaN is passed over; a window of NaN alone gives minus infinity. Every variant gives the same numbers (of
//          two zeros of unlike sign either may be the result).
// average: the sum in float, row by row, then divided by the number of pixels on the image. Same bits everywhere.
// dst may not overlap src.

#include <cstddef>
#include <span>

#include "kernels/pixels.h"
#include "kernels/variant.h"

namespace tessera {

struct PoolShape {
  std::int64_t h, w, c, ow;  ///< the input's extents, the output's width
  int kh, kw, sh, sw, pad_top, pad_left;
};

/// Floats of scratch with which a maximum over a large window is taken per column first, then along the row (kh + kw
/// steps instead of kh * kw); 0 when the shape would not gain.
std::size_t max_pool_scratch_floats(const PoolShape& shape);

/// Row oy of the output. scratch: max_pool_scratch_floats(shape) of them, or null for the direct way (same numbers);
/// average ignores it.
using PoolRowF32 = void(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst, float* scratch);
std::span<const Variant<PoolRowF32>> max_pool_f32_variants();
std::span<const Variant<PoolRowF32>> average_pool_f32_variants();

/// dst[i] = mean of channel i over all pixels. Blocks of 16 pixels are summed in order, the blocks' sums by pairs, so
/// the error is below (16 + log2(pixels)) * 2^-24 of the mean magnitude. Same bits in every variant but the reference,
/// which sums in double.
using GlobalAverageF32 = void(Pixels src, std::int64_t pixels, std::int64_t c, float* dst);
std::span<const Variant<GlobalAverageF32>> global_average_f32_variants();

}  // namespace tessera
