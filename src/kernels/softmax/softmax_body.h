#pragma once
// The loops all ISAs share; V is a vector of vec_<isa>.h.

#include <limits>

#include "kernels/activation/vec_math.h"
#include "kernels/channels.h"
#include "kernels/softmax/softmax.h"

namespace tessera {
namespace {

template <class V>
float greatest_channel(const float* src, std::int64_t c) {
  float greatest = -std::numeric_limits<float>::infinity();
  std::int64_t i = 0;
  if (c >= V::kLanes) {
    auto lanes = V::set1(greatest);
    for (; i + V::kLanes <= c; i += V::kLanes) lanes = V::max_number(V::load(src + i), lanes);
    greatest = V::reduce_max(lanes);
  }
  for (; i < c; ++i) greatest = src[i] > greatest ? src[i] : greatest;
  return greatest;
}

// The sum is taken in channel order in double: the same for every vector width, and exact enough to be forgotten.
template <class V>
void softmax_pixel(const float* src, float* dst, std::int64_t c) {
  const auto greatest = V::set1(greatest_channel<V>(src, c));
  over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
    for (int r = 0; r < kRegs; ++r) {
      const std::int64_t at = i + r * V::kLanes;
      lanes.store(dst + at, exp<V>(V::sub(lanes.load(src + at), greatest)));
    }
  });
  double sum = 0;
  for (std::int64_t i = 0; i < c; ++i) sum += static_cast<double>(dst[i]);
  const auto divisor = V::set1(static_cast<float>(sum));
  over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
    for (int r = 0; r < kRegs; ++r) {
      const std::int64_t at = i + r * V::kLanes;
      lanes.store(dst + at, V::div(lanes.load(dst + at), divisor));
    }
  });
}

template <class V>
void softmax_pixels(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  for (std::int64_t p = 0; p < pixels; ++p) softmax_pixel<V>(src.data + p * src.stride, dst.data + p * dst.stride, c);
}

}  // namespace
}  // namespace tessera
