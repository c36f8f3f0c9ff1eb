#include <limits>

#include "kernels/pool/variants.h"
#include "kernels/pool/window.h"

namespace tessera {

void max_pool_f32_reference(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst, float*) {
  const Window ys = window_on_image(oy, shape.kh, shape.sh, shape.pad_top, shape.h);
  for (std::int64_t ox = 0; ox < shape.ow; ++ox) {
    const Window xs = window_on_image(ox, shape.kw, shape.sw, shape.pad_left, shape.w);
    for (std::int64_t i = 0; i < shape.c; ++i) {
      float greatest = -std::numeric_limits<float>::infinity();
      for (std::int64_t y = ys.begin; y < ys.end; ++y) {
        for (std::int64_t x = xs.begin; x < xs.end; ++x) {
          const float v = src.data[(y * shape.w + x) * src.stride + i];
          if (v > greatest) greatest = v;  // false for NaN
        }
      }
      dst.data[ox * dst.stride + i] = greatest;
    }
  }
}

void average_pool_f32_reference(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst, float*) {
  const Window ys = window_on_image(oy, shape.kh, shape.sh, shape.pad_top, shape.h);
  for (std::int64_t ox = 0; ox < shape.ow; ++ox) {
    const Window xs = window_on_image(ox, shape.kw, shape.sw, shape.pad_left, shape.w);
    for (std::int64_t i = 0; i < shape.c; ++i) {
      float sum = 0;
      for (std::int64_t y = ys.begin; y < ys.end; ++y) {
        for (std::int64_t x = xs.begin; x < xs.end; ++x) sum += src.data[(y * shape.w + x) * src.stride + i];
      }
      dst.data[ox * dst.stride + i] = sum / static_cast<float>((ys.end - ys.begin) * (xs.end - xs.begin));
    }
  }
}

void global_average_f32_reference(Pixels src, std::int64_t pixels, std::int64_t c, float* dst) {
  for (std::int64_t i = 0; i < c; ++i) {
    double sum = 0;
    for (std::int64_t p = 0; p < pixels; ++p) sum += static_cast<double>(src.data[p * src.stride + i]);
    dst[i] = static_cast<float>(sum / static_cast<double>(pixels));
  }
}

}  // namespace tessera
