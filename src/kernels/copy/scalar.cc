#include "kernels/activation/vec_scalar.h"
#include "kernels/copy/copy_body.h"
#include "kernels/copy/variants.h"

namespace tessera {

void copy_f32_scalar(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  copy_pixels<Vec>(src, dst, pixels, c);
}

}  // namespace tessera
