#include "kernels/activation/vec_scalar.h"
#include "kernels/function/function_body.h"

namespace tessera {
namespace {

struct FunctionVec : Vec {
  static Reg select_equal(Reg a, Reg b, Reg yes, Reg no) { return a == b ? yes : no; }
  static Reg sqrt(Reg v) { return std::sqrt(v); }
  static Reg floor(Reg v) { return std::floor(v); }
};

}  // namespace

void binary_f32_scalar(BinaryKind kind, const float* a, std::int64_t a_step, const float* b, std::int64_t b_step,
                       float* dst, std::int64_t n) {
  binary_any<FunctionVec>(kind, a, a_step, b, b_step, dst, n);
}

void unary_f32_scalar(UnaryKind kind, float alpha, float beta, const float* src, float* dst, std::int64_t n) {
  unary_any<FunctionVec>(kind, alpha, beta, src, dst, n);
}

}  // namespace tessera
