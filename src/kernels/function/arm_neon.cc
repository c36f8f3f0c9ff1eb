#include "kernels/activation/vec_neon.h"
#include "kernels/function/function_body.h"

namespace tessera {
namespace {

struct FunctionVec : Vec {
  static Reg select_equal(Reg a, Reg b, Reg yes, Reg no) { return vbslq_f32(vceqq_f32(a, b), yes, no); }
  static Reg sqrt(Reg v) { return vsqrtq_f32(v); }
  static Reg floor(Reg v) { return vrndmq_f32(v); }
};

}  // namespace

void binary_f32_neon(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                     float* dst, std::int64_t n) {
  binary_any<FunctionVec>(kind, a, a_step, b, b_step, dst, n);
}

void unary_f32_neon(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n) {
  unary_any<FunctionVec>(kind, alpha, beta, src, dst, n);
}

}  // namespace tessera
