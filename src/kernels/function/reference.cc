#include "kernels/function/function_value.h"
#include "kernels/function/variants.h"

namespace tessera {

void binary_f32_reference(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                          float* dst, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    dst[i] = static_cast<float>(binary_value(kind, a[i * a_step], b[i * b_step]));
  }
}

void unary_f32_reference(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) dst[i] = static_cast<float>(unary_value(kind, src[i], alpha, beta));
}

}  // namespace tessera
