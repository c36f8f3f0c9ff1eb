#include "kernels/activation/activation.h"

#include "kernels/activation/variants.h"

namespace tessera {

std::span<const Variant<ActivateF32>> activate_f32_variants() {
  static constexpr Variant<ActivateF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, activate_f32_avx512},
    {"avx2", Isa::avx2, activate_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, activate_f32_neon},
#endif
    {"scalar", Isa::none, activate_f32_scalar},
    {"reference", Isa::none, activate_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
