// 6 x 16 tiles: 24 accumulators, 4 vectors of b and one broadcast of a in 32 registers; 10 loads for 24 fused
// multiply-adds.

#include <utility>

#include "kernels/activation/vec_neon.h"
#include "kernels/gemm/gemm_body.h"
#include "kernels/gemm/micro_kernels.h"

namespace tessera {
namespace {

struct Neon : VecNeon {
  static constexpr int kRows = 6, kVectors = 4;
};

}  // namespace

constinit const MicroKernel kMicroKernelNeon = make_micro_kernel<Neon>();

}  // namespace tessera
