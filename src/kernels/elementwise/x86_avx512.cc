#include "kernels/activation/vec_avx512.h"
#include "kernels/elementwise/elementwise_body.h"
#include "kernels/elementwise/variants.h"

namespace tessera {

void add_f32_avx512(std::span<const Pixels> srcs, MutablePixels dst, std::int64_t pixels, std::int64_t c,
                    ActivationSpec act) {
  add_any<Vec>(srcs, dst, pixels, c, act);
}

void mul_f32_avx512(Pixels a, Pixels b, bool b_per_pixel, MutablePixels dst, std::int64_t pixels, std::int64_t c,
                    ActivationSpec act) {
  mul_any<Vec>(a, b, b_per_pixel, dst, pixels, c, act);
}

}  // namespace tessera
