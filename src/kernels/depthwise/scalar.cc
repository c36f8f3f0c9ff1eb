// Plain C++: the compiler's portable vectors.

#include "kernels/depthwise/depthwise_body.h"
#include "kernels/depthwise/kernels.h"
#include "kernels/gemm/vec_portable.h"

namespace tessera {

constinit const DepthwiseKernel kDepthwiseScalar{VecPortable::kLanes, depthwise_rows<VecPortable>};

}  // namespace tessera
