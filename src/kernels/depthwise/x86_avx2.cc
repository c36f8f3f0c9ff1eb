// As x86_avx512.cc, with half the channels in a vector.

#include "kernels/activation/vec_avx2.h"
#include "kernels/depthwise/depthwise_body.h"
#include "kernels/depthwise/kernels.h"

namespace tessera {

constinit const DepthwiseKernel kDepthwiseAvx2{VecAvx2::kLanes, depthwise_rows<VecAvx2>};

}  // namespace tessera
