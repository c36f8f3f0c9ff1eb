#include "kernels/activation/vec_avx2.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {

constinit const WinogradIsa kWinogradAvx2 = make_winograd_transforms<VecAvx2>();

}  // namespace tessera
