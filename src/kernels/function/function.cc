#include "kernels/function/function.h"

#include "kernels/function/variants.h"

namespace tessera {

std::span<const Variant<BinaryF32>> binary_f32_variants() {
  static constexpr Variant<BinaryF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, binary_f32_avx512},
    {"avx2", Isa::avx2, binary_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, binary_f32_neon},
#endif
    {"scalar", Isa::none, binary_f32_scalar},
    {"reference", Isa::none, binary_f32_reference},
  };
  return kVariants;
}

std::span<const Variant<UnaryF32>> unary_f32_variants() {
  static constexpr Variant<UnaryF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, unary_f32_avx512},
    {"avx2", Isa::avx2, unary_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, unary_f32_neon},
#endif
    {"scalar", Isa::none, unary_f32_scalar},
    {"reference", Isa::none, unary_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
