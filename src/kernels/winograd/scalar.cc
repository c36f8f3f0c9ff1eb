#include "kernels/gemm/vec_portable.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {

constinit const WinogradIsa kWinogradScalar = make_winograd_transforms<VecPortable>();

}  // namespace tessera
