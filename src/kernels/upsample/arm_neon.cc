#include "kernels/activation/vec_neon.h"
#include "kernels/upsample/upsample_body.h"
#include "kernels/upsample/variants.h"

namespace tessera {

void upsample_f32_neon(const UpsampleShape& shape, Pixels src, MutablePixels dst, std::int64_t dst_row) {
  upsample_row<Vec>(shape, src, dst, dst_row);
}

}  // namespace tessera
