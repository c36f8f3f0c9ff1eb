#include "kernels/upsample/variants.h"

namespace tessera {

void upsample_f32_reference(const UpsampleShape& shape, Pixels src, MutablePixels dst, std::int64_t dst_row) {
  for (std::int64_t y = 0; y < shape.factor_h; ++y) {
    for (std::int64_t x = 0; x < shape.w * shape.factor_w; ++x) {
      for (std::int64_t i = 0; i < shape.c; ++i) {
        dst.data[y * dst_row + x * dst.stride + i] = src.data[x / shape.factor_w * src.stride + i] * shape.scale;
      }
    }
  }
}

}  // namespace tessera
