#include "kernels/activation/vec_scalar.h"
#include "kernels/pool/pool_body.h"
#include "kernels/pool/variants.h"

namespace tessera {

void max_pool_f32_scalar(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst, float* scratch) {
  max_row<Vec>(shape, src, oy, dst, scratch);
}

void average_pool_f32_scalar(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst, float*) {
  average_row<Vec>(shape, src, oy, dst);
}

void global_average_f32_scalar(Pixels src, std::int64_t pixels, std::int64_t c, float* dst) {
  global_average<Vec>(src, pixels, c, dst);
}

}  // namespace tessera
