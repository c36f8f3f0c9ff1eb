#pragma once
// Copies pixels from one channel slice to another: a concat or slice that could not be placed. Bits are kept (NaN
// payloads too). src and dst may not overlap.

#include <span>

#include "kernels/pixels.h"
#include "kernels/variant.h"

namespace tessera {

using CopyF32 = void(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c);
std::span<const Variant<CopyF32>> copy_f32_variants();

}  // namespace tessera
