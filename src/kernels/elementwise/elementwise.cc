#include "kernels/elementwise/elementwise.h"

#include "kernels/elementwise/variants.h"

namespace tessera {

std::span<const Variant<AddF32>> add_f32_variants() {
  static constexpr Variant<AddF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, add_f32_avx512},
    {"avx2", Isa::avx2, add_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, add_f32_neon},
#endif
    {"scalar", Isa::none, add_f32_scalar},
    {"reference", Isa::none, add_f32_reference},
  };
  return kVariants;
}

std::span<const Variant<MulF32>> mul_f32_variants() {
  static constexpr Variant<MulF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, mul_f32_avx512},
    {"avx2", Isa::avx2, mul_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, mul_f32_neon},
#endif
    {"scalar", Isa::none, mul_f32_scalar},
    {"reference", Isa::none, mul_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
