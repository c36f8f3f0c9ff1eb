#include <cstring>

#include "kernels/copy/variants.h"

namespace tessera {

void copy_f32_reference(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    std::memcpy(dst.data + p * dst.stride, src.data + p * src.stride, static_cast<std::size_t>(c) * sizeof(float));
  }
}

}  // namespace tessera
