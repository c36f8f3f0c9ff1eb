#include "kernels/activation/activation_value.h"
#include "kernels/activation/variants.h"

namespace tessera {

void activate_f32_reference(const float* src, float* dst, std::size_t n, ActivationSpec act) {
  for (std::size_t i = 0; i < n; ++i) {
    dst[i] = static_cast<float>(activation_value(static_cast<double>(src[i]), act));
  }
}

}  // namespace tessera
