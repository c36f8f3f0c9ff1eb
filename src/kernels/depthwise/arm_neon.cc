// Four channels a vector; eight sums in flight hide the latency of the fused multiply-add.

#include "kernels/activation/vec_neon.h"
#include "kernels/depthwise/depthwise_body.h"
#include "kernels/depthwise/kernels.h"

namespace tessera {

constinit const DepthwiseKernel kDepthwiseNeon{VecNeon::kLanes, depthwise_rows<VecNeon>};

}  // namespace tessera
