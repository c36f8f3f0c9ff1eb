// Tiles as in kernels/gemm/scalar.cc. Not unrolled: GCC would load a whole block before it multiplies, and spill it.

#include "kernels/gemm/vec_portable.h"
#include "kernels/winograd/transform_body.h"
#include "kernels/winograd/transforms.h"

namespace tessera {
namespace {

struct Portable : VecPortable {
  static constexpr int kRows = 4, kVectors = 2, kSteps = 1;
};

}  // namespace

constinit const WinogradIsa kWinogradScalar = make_winograd_transforms<Portable>();

}  // namespace tessera
