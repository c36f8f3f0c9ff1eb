#include "kernels/activation/activation_value.h"
#include "kernels/elementwise/variants.h"

namespace tessera {
namespace {

float activated(float x, ActivationSpec act) {
  return static_cast<float>(activation_value(static_cast<double>(x), act));
}

}  // namespace

void add_f32_reference(std::span<const Pixels> srcs, MutablePixels dst, std::int64_t pixels, std::int64_t c,
                       ActivationSpec act) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    for (std::int64_t i = 0; i < c; ++i) {
      float sum = srcs[0].data[p * srcs[0].stride + i];
      for (const Pixels& src : srcs.subspan(1)) sum += src.data[p * src.stride + i];
      dst.data[p * dst.stride + i] = activated(sum, act);
    }
  }
}

void mul_f32_reference(Pixels a, Pixels b, bool b_per_pixel, MutablePixels dst, std::int64_t pixels, std::int64_t c,
                       ActivationSpec act) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    const float factor = b.data[p * b.stride];  // read first: dst may be b
    for (std::int64_t i = 0; i < c; ++i) {
      const float by = b_per_pixel ? factor : b.data[p * b.stride + i];
      dst.data[p * dst.stride + i] = activated(a.data[p * a.stride + i] * by, act);
    }
  }
}

}  // namespace tessera
