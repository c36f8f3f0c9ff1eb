#pragma once
// The loops all ISAs share; V is a vector of vec_<isa>.h, Bytes::load widens V::kLanes bytes to one. The stores are the
// limit: four bytes for each that is read.

#include "kernels/from_bytes/from_bytes.h"

namespace tessera {
namespace {

inline float number_of(std::uint8_t byte, float scale, float shift) { return static_cast<float>(byte) * scale + shift; }

/// Pixels without gaps: one run, in which the channels come round after kC registers.
template <class V, class Bytes, int kC>
void convert_run(const std::uint8_t* src, float* dst, std::int64_t pixels, ByteScale by) {
  constexpr int kBlock = kC * V::kLanes;
  float scales[kBlock], shifts[kBlock];
  for (int i = 0; i < kBlock; ++i) scales[i] = by.scale[i % kC], shifts[i] = by.shift[i % kC];
  typename V::Reg scale[kC], shift[kC];
  for (int r = 0; r < kC; ++r) scale[r] = V::load(scales + r * V::kLanes), shift[r] = V::load(shifts + r * V::kLanes);
  const std::int64_t n = pixels * kC;
  std::int64_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    for (int r = 0; r < kC; ++r) {
      const std::int64_t at = i + r * V::kLanes;
      V::store(dst + at, V::add(V::mul(Bytes::load(src + at), scale[r]), shift[r]));
    }
  }
  for (; i < n; ++i) dst[i] = number_of(src[i], by.scale[i % kC], by.shift[i % kC]);
}

template <class V, class Bytes>
void convert_pixel(const std::uint8_t* src, float* dst, std::int64_t c, ByteScale by) {
  std::int64_t i = 0;
  for (; i + V::kLanes <= c; i += V::kLanes) {
    V::store(dst + i, V::add(V::mul(Bytes::load(src + i), V::load(by.scale + i)), V::load(by.shift + i)));
  }
  for (; i < c; ++i) dst[i] = number_of(src[i], by.scale[i], by.shift[i]);
}

template <class V, class Bytes>
void convert_any(BytePixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c, ByteScale by) {
  const bool no_gaps = src.stride == c && dst.stride == c;
  if (no_gaps && c == 1) return convert_run<V, Bytes, 1>(src.data, dst.data, pixels, by);
  if (no_gaps && c == 3) return convert_run<V, Bytes, 3>(src.data, dst.data, pixels, by);
  if (no_gaps && c == 4) return convert_run<V, Bytes, 4>(src.data, dst.data, pixels, by);
  for (std::int64_t p = 0; p < pixels; ++p) {
    convert_pixel<V, Bytes>(src.data + p * src.stride, dst.data + p * dst.stride, c, by);
  }
}

}  // namespace
}  // namespace tessera
