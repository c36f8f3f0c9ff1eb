#include "kernels/softmax/softmax.h"

#include "kernels/softmax/variants.h"

namespace tessera {

std::span<const Variant<SoftmaxF32>> softmax_f32_variants() {
  static constexpr Variant<SoftmaxF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, softmax_f32_avx512},
    {"avx2", Isa::avx2, softmax_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, softmax_f32_neon},
#endif
    {"scalar", Isa::none, softmax_f32_scalar},
    {"reference", Isa::none, softmax_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
