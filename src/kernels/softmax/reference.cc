#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/softmax/variants.h"

namespace tessera {

void softmax_f32_reference(Pixels src, MutablePixels dst, std::int64_t pixels, std::int64_t c) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    const float* from = src.data + p * src.stride;
    float* to = dst.data + p * dst.stride;
    float greatest = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < c; ++i) greatest = from[i] > greatest ? from[i] : greatest;
    const auto power = [&](float v) { return std::exp(static_cast<double>(v) - static_cast<double>(greatest)); };
    double sum = 0;
    for (std::int64_t i = 0; i < c; ++i) sum += power(from[i]);
    for (std::int64_t i = 0; i < c; ++i) to[i] = static_cast<float>(power(from[i]) / sum);
  }
}

}  // namespace tessera
