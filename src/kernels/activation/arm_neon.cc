#include "kernels/activation/activation_body.h"
#include "kernels/activation/variants.h"
#include "kernels/activation/vec_neon.h"

namespace tessera {

void activate_f32_neon(const float* src, float* dst, std::size_t n, ActivationSpec act) {
  activate_any<Vec>(src, dst, n, act);
}

}  // namespace tessera
