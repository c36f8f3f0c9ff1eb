#include "kernels/from_bytes/from_bytes.h"

#include "kernels/from_bytes/variants.h"

namespace tessera {

std::span<const Variant<FromBytesF32>> from_bytes_f32_variants() {
  static constexpr Variant<FromBytesF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, from_bytes_f32_avx512},
    {"avx2", Isa::avx2, from_bytes_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, from_bytes_f32_neon},
#endif
    {"scalar", Isa::none, from_bytes_f32_scalar},
    {"reference", Isa::none, from_bytes_f32_reference},
  };
  return kVariants;
}

}  // namespace tessera
