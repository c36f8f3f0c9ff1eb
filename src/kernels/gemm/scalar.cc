// Plain C++ for processors without a variant of their own: four lanes as the compiler's portable vectors (SSE2 on x86,
// whatever the baseline has elsewhere). 4 x 8 tiles leave room in 16 registers. Products and sums round separately.

#include <utility>

#include "kernels/gemm/gemm_body.h"
#include "kernels/gemm/micro_kernels.h"
#include "kernels/gemm/vec_portable.h"

namespace tessera {
namespace {

struct Portable : VecPortable {
  static constexpr int kRows = 4, kVectors = 2;
};

}  // namespace

constinit const MicroKernel kMicroKernelScalar = make_micro_kernel<Portable>();

}  // namespace tessera
