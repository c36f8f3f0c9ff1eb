#pragma once
// The tables behind depthwise_variants(); each stands in the file of its instruction set.

#include "kernels/depthwise/depthwise.h"

namespace tessera {

extern const DepthwiseKernel kDepthwiseAvx512;
extern const DepthwiseKernel kDepthwiseAvx2;
extern const DepthwiseKernel kDepthwiseNeon;
extern const DepthwiseKernel kDepthwiseScalar;

}  // namespace tessera
