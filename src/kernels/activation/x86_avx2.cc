#include "kernels/activation/activation_body.h"
#include "kernels/activation/variants.h"
#include "kernels/activation/vec_avx2.h"

namespace tessera {

void activate_f32_avx2(const float* src, float* dst, std::size_t n, ActivationSpec act) {
  activate_any<Vec>(src, dst, n, act);
}

}  // namespace tessera
