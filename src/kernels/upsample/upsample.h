#pragma once
// Nearest-neighbour enlargement by whole factors, one source row at a time, times a scale. Every variant gives the same
// bits. dst may not overlap src.

#include <span>

#include "kernels/pixels.h"
#include "kernels/variant.h"

namespace tessera {

struct UpsampleShape {
  std::int64_t w, c;  ///< the source's
  int factor_h, factor_w;
  float scale;
};
/// Writes the factor_h output rows of one source row; dst is the first of them, dst_row floats from row to row.
using UpsampleRowF32 = void(const UpsampleShape& shape, Pixels src, MutablePixels dst, std::int64_t dst_row);
std::span<const Variant<UpsampleRowF32>> upsample_f32_variants();

}  // namespace tessera
