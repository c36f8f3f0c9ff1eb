// 6 x 16 tiles: 12 accumulators, 2 vectors of b and one broadcast of a in 16 registers; 8 loads for 12 fused
// multiply-adds, so the two arithmetic ports are the limit (6 cycles a step).

#include <utility>

#include "kernels/activation/vec_avx2.h"
#include "kernels/gemm/gemm_body.h"
#include "kernels/gemm/micro_kernels.h"

namespace tessera {
namespace {

struct Avx2 : VecAvx2 {
  static constexpr int kRows = 6, kVectors = 2;
};

}  // namespace

constinit const MicroKernel kMicroKernelAvx2 = make_micro_kernel<Avx2>();

}  // namespace tessera
