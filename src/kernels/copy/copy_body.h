#pragma once
// The loop all ISAs share; V is a vector of vec_<isa>.h. Faster than memcpy per pixel, whose call costs as much as the
// few registers of a pixel.

#include "kernels/channels.h"
#include "kernels/copy/copy.h"

namespace tessera {
namespace {

template <class V>
void copy_pixels(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  if (src.stride == c && dst.stride == c) {
    c *= pixels;
    pixels = 1;
  }
  for (std::int64_t p = 0; p < pixels; ++p) {
    const float* from = src.data + p * src.stride;
    float* to = dst.data + p * dst.stride;
    over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
      typename V::Reg v[kRegs];
      for (int r = 0; r < kRegs; ++r) v[r] = lanes.load(from + i + r * V::kLanes);
      for (int r = 0; r < kRegs; ++r) lanes.store(to + i + r * V::kLanes, v[r]);
    });
  }
}

}  // namespace
}  // namespace tessera
