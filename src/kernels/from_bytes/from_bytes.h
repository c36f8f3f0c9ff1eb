#pragma once
// Bytes to numbers: dst[c] = float(src[c]) * scale[c] + shift[c], the product rounded, then the sum. Every variant
// gives the same bits. dst may not overlap src.

#include <cstdint>
#include <span>

#include "kernels/pixels.h"
#include "kernels/variant.h"

namespace tessera {

struct BytePixels {
  const std::uint8_t* data;
  std::int64_t stride;  ///< bytes from one pixel to the next, >= c; those between pixels are not read
};
/// Of each channel.
struct ByteScale {
  const float* scale;
  const float* shift;
};

using FromBytesF32 = void(BytePixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c, ByteScale by);
std::span<const Variant<FromBytesF32>> from_bytes_f32_variants();

}  // namespace tessera
