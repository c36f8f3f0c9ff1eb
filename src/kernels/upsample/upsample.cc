#include "kernels/upsample/upsample.h"

#include "kernels/upsample/variants.h"

namespace tessera {

std::span<const Variant<UpsampleRowF32>> upsample_f32_variants() {
  static constexpr Variant<UpsampleRowF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, upsample_f32_avx512},
    {"avx2", Isa::avx2, upsample_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, upsample_f32_neon},
#endif
    {"scalar", Isa::none, upsample_f32_scalar},
    {"reference", Isa::none, upsample_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
