#include "kernels/activation/vec_avx512.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {

constinit const WinogradIsa kWinogradAvx512 = make_winograd_transforms<VecAvx512>();

}  // namespace tessera
