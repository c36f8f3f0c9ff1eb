// 3 x 3: 9 loads (6 pixels, 3 weights) for 12 fused multiply-adds a tap row; the arithmetic ports are the limit.

#include "kernels/activation/vec_avx512.h"
#include "kernels/depthwise/depthwise_body.h"
#include "kernels/depthwise/kernels.h"

namespace tessera {

constinit const DepthwiseKernel kDepthwiseAvx512{VecAvx512::kLanes, depthwise_rows<VecAvx512>};

}  // namespace tessera
