// 8 x 8 tiles: 16 accumulators, 2 vectors of b and 8 scalars of a in 32 registers (fmla takes a lane); 10 loads for 16
// fused multiply-adds. With 6 x 16 the scalars, which GCC loads first, push accumulators out of the registers.

#include <utility>

#include "kernels/activation/vec_neon.h"
#include "kernels/gemm/gemm_body.h"
#include "kernels/gemm/micro_kernels.h"

namespace tessera {
namespace {

struct Neon : VecNeon {
  static constexpr int kRows = 8, kVectors = 2;
};

}  // namespace

constinit const MicroKernel kMicroKernelNeon = make_micro_kernel<Neon>();

}  // namespace tessera
