// 13 x 32 tiles: 26 accumulators, 2 vectors of u and one broadcast of v in 32 registers. 25 tiles of a half of 26 x 26
// pixels are two such products.

#include "kernels/activation/vec_avx512.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {
namespace {

struct Avx512 : VecAvx512 {
  static constexpr int kRows = 13, kVectors = 2, kSteps = 16;
};

}  // namespace

constinit const WinogradIsa kWinogradAvx512 = make_winograd_transforms<Avx512>();

}  // namespace tessera
