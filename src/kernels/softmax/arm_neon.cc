#include "kernels/activation/vec_neon.h"
#include "kernels/softmax/softmax_body.h"
#include "kernels/softmax/variants.h"

namespace tessera {

void softmax_f32_neon(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  softmax_pixels<Vec>(src, dst, pixels, c);
}

}  // namespace tessera
