#include "kernels/from_bytes/variants.h"

namespace tessera {

void from_bytes_f32_reference(BytePixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c, ByteScale by) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    for (std::int64_t i = 0; i < c; ++i) {
      const float product = static_cast<float>(src.data[p * src.stride + i]) * by.scale[i];
      dst.data[p * dst.stride + i] = product + by.shift[i];
    }
  }
}

}  // namespace tessera
