// Tiles and their registers as in kernels/gemm/arm_neon.cc. Not unrolled: unmeasured on a processor of its own.

#include "kernels/activation/vec_neon.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {
namespace {

struct Neon : VecNeon {
  static constexpr int kRows = 8, kVectors = 2, kSteps = 1;
};

}  // namespace

constinit const WinogradIsa kWinogradNeon = make_winograd_transforms<Neon>();

}  // namespace tessera
