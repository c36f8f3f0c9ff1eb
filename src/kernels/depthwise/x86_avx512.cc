// 3 x 3, stride 1: 24 loads for 72 fused multiply-adds, a square of 4 x 2 outputs; with data in L1 the arithmetic ports
// are the limit (about 6 cycles an output measured, 4.5 for the multiply-adds alone), from L2 on it is the cache.

#include "kernels/activation/vec_avx512.h"
#include "kernels/depthwise/depthwise_body.h"
#include "kernels/depthwise/kernels.h"

namespace tessera {

constinit const DepthwiseKernel kDepthwiseAvx512{VecAvx512::kLanes, depthwise_rows<VecAvx512>};

}  // namespace tessera
