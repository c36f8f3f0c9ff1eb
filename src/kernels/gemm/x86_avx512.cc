// 12 x 32 tiles: 24 accumulators, 2 vectors of b and one broadcast of a in 32 registers; 14 loads for 24 fused
// multiply-adds, so the two arithmetic ports are the limit (12 cycles a step), not the two load ports.

#include <utility>

#include "kernels/activation/vec_avx512.h"
#include "kernels/gemm/fold_avx512.h"
#include "kernels/gemm/gemm_body.h"
#include "kernels/gemm/micro_kernels.h"

namespace tessera {
namespace {

struct Avx512 : VecAvx512 {
  static constexpr int kRows = 12, kVectors = 2;
};

}  // namespace

constinit const MicroKernel kMicroKernelAvx512 = with_folded(make_micro_kernel<Avx512>());

}  // namespace tessera
