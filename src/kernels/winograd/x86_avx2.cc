// Tiles and their registers as in kernels/gemm/x86_avx2.cc.

#include "kernels/activation/vec_avx2.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {
namespace {

struct Avx2 : VecAvx2 {
  static constexpr int kRows = 6, kVectors = 2, kSteps = 16;
};

}  // namespace

constinit const WinogradIsa kWinogradAvx2 = make_winograd_transforms<Avx2>();

}  // namespace tessera
