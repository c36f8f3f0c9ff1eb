#pragma once
// The loops all ISAs share; V is a vector of vec_<isa>.h. Both kernels wait for memory, not for arithmetic.

#include <algorithm>

#include "kernels/activation/vec_math.h"
#include "kernels/channels.h"
#include "kernels/elementwise/elementwise.h"

namespace tessera {
namespace {

// Without gaps between pixels the whole run is one long pixel, so that few channels still fill registers.
inline void join_pixels(bool no_gaps, std::int64_t& pixels, std::int64_t& c) {
  if (!no_gaps) return;
  c *= pixels;
  pixels = 1;
}

template <class V, Activation kind>
void add_pixel(std::span<const Pixels> srcs, std::int64_t pixel, float* dst, std::int64_t c, float alpha) {
  over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
    for (int r = 0; r < kRegs; ++r) {
      const std::int64_t at = i + r * V::kLanes;
      auto sum = lanes.load(srcs[0].data + pixel * srcs[0].stride + at);
      for (std::size_t s = 1; s < srcs.size(); ++s) {
        sum = V::add(sum, lanes.load(srcs[s].data + pixel * srcs[s].stride + at));
      }
      lanes.store(dst + at, activate<V, kind>(sum, V::set1(alpha)));
    }
  });
}

template <class V>
void add_any(std::span<const Pixels> srcs, MutablePixels dst, std::int64_t pixels, std::int64_t c, ActivationSpec act) {
  bool no_gaps = dst.stride == c;
  for (const Pixels& src : srcs) no_gaps = no_gaps && src.stride == c;
  join_pixels(no_gaps, pixels, c);
  with_activation(act.kind, [&]<Activation kind>() {
    for (std::int64_t p = 0; p < pixels; ++p) add_pixel<V, kind>(srcs, p, dst.data + p * dst.stride, c, act.alpha);
  });
}

template <class V, Activation kind>
void mul_pixel(const float* a, const float* b, float* dst, std::int64_t c, float alpha) {
  over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
    for (int r = 0; r < kRegs; ++r) {
      const std::int64_t at = i + r * V::kLanes;
      lanes.store(dst + at, activate<V, kind>(V::mul(lanes.load(a + at), lanes.load(b + at)), V::set1(alpha)));
    }
  });
}

template <class V, Activation kind>
void scale_pixel(const float* a, float factor, float* dst, std::int64_t c, float alpha) {
  over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
    for (int r = 0; r < kRegs; ++r) {
      const std::int64_t at = i + r * V::kLanes;
      lanes.store(dst + at, activate<V, kind>(V::mul(lanes.load(a + at), V::set1(factor)), V::set1(alpha)));
    }
  });
}

template <class V>
void mul_any(Pixels a, Pixels b, bool b_per_pixel, MutablePixels dst, std::int64_t pixels, std::int64_t c,
             ActivationSpec act) {
  join_pixels(!b_per_pixel && a.stride == c && b.stride == c && dst.stride == c, pixels, c);
  with_activation(act.kind, [&]<Activation kind>() {
    for (std::int64_t p = 0; p < pixels; ++p) {
      const float* from = a.data + p * a.stride;
      const float* factors = b.data + p * b.stride;
      float* to = dst.data + p * dst.stride;
      if (b_per_pixel) {
        scale_pixel<V, kind>(from, *factors, to, c, act.alpha);
      } else {
        mul_pixel<V, kind>(from, factors, to, c, act.alpha);
      }
    }
  });
}

}  // namespace
}  // namespace tessera
