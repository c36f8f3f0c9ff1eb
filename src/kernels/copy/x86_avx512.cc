#include "kernels/activation/vec_avx512.h"
#include "kernels/copy/copy_body.h"
#include "kernels/copy/variants.h"

namespace tessera {

void copy_f32_avx512(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  copy_pixels<Vec>(src, dst, pixels, c);
}

}  // namespace tessera
