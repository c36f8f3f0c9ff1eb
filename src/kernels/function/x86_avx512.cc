#include "kernels/activation/vec_avx512.h"
#include "kernels/function/function_body.h"

namespace tessera {
namespace {

struct FunctionVec : Vec {
  static Reg select_equal(Reg a, Reg b, Reg yes, Reg no) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ), no, yes);
  }
  static Reg sqrt(Reg v) { return _mm512_sqrt_ps(v); }
  static Reg floor(Reg v) { return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
};

}  // namespace

void binary_f32_avx512(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                       float* dst, std::int64_t n) {
  binary_any<FunctionVec>(kind, a, a_step, b, b_step, dst, n);
}

void unary_f32_avx512(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n) {
  unary_any<FunctionVec>(kind, alpha, beta, src, dst, n);
}

}  // namespace tessera
