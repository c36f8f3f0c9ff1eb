#pragma once
// The tables behind gemm_variants(); each stands in the file of its instruction set.

#include "kernels/gemm/gemm.h"

namespace tessera {

extern const MicroKernel kMicroKernelAvx512;
extern const MicroKernel kMicroKernelAvx2;
extern const MicroKernel kMicroKernelNeon;
extern const MicroKernel kMicroKernelScalar;

}  // namespace tessera
