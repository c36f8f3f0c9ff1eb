#include "kernels/activation/vec_avx2.h"
#include "kernels/function/function_body.h"

namespace tessera {
namespace {

struct FunctionVec : Vec {
  static Reg select_equal(Reg a, Reg b, Reg yes, Reg no) {
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_EQ_OQ));
  }
  static Reg sqrt(Reg v) { return _mm256_sqrt_ps(v); }
  static Reg floor(Reg v) { return _mm256_floor_ps(v); }
};

}  // namespace

void binary_f32_avx2(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                     float* dst, std::int64_t n) {
  binary_any<FunctionVec>(kind, a, a_step, b, b_step, dst, n);
}

void unary_f32_avx2(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n) {
  unary_any<FunctionVec>(kind, alpha, beta, src, dst, n);
}

}  // namespace tessera
