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
