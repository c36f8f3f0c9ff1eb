#pragma once
// The loop all ISAs share; V is a vector of vec_<isa>.h. Each source register is loaded once and stored factor_h *
// factor_w times; the stores are the limit.

#include "kernels/channels.h"
#include "kernels/upsample/upsample.h"

namespace tessera {
namespace {

template <class V>
void upsample_row(const UpsampleShape& shape, Pixels src, MutablePixels dst, std::int64_t dst_row) {
  const auto scale = V::set1(shape.scale);
  for (std::int64_t x = 0; x < shape.w; ++x) {
    const float* from = src.data + x * src.stride;
    float* to = dst.data + x * shape.factor_w * dst.stride;
    over_channels<V>(shape.c, [&]<int kRegs>(std::int64_t i, auto lanes) {
      typename V::Reg v[kRegs];
      for (int r = 0; r < kRegs; ++r) v[r] = V::mul(lanes.load(from + i + r * V::kLanes), scale);
      for (int y = 0; y < shape.factor_h; ++y) {
        for (int copy = 0; copy < shape.factor_w; ++copy) {
          float* out = to + y * dst_row + copy * dst.stride + i;
          for (int r = 0; r < kRegs; ++r) lanes.store(out + r * V::kLanes, v[r]);
        }
      }
    });
  }
}

}  // namespace
}  // namespace tessera
