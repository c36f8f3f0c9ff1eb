#include "kernels/copy/copy.h"

#include "kernels/copy/variants.h"

namespace tessera {

std::span<const Variant<CopyF32>> copy_f32_variants() {
  static constexpr Variant<CopyF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, copy_f32_avx512},
    {"avx2", Isa::avx2, copy_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, copy_f32_neon},
#endif
    {"scalar", Isa::none, copy_f32_scalar},
    {"reference", Isa::none, copy_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
