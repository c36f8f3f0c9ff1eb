#include "kernels/activation/vec_neon.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {

constinit const WinogradIsa kWinogradNeon = make_winograd_transforms<VecNeon>();

}  // namespace tessera
