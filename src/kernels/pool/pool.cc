#include "kernels/pool/pool.h"

#include "kernels/pool/variants.h"

namespace tessera {

std::span<const Variant<PoolRowF32>> max_pool_f32_variants() {
  static constexpr Variant<PoolRowF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, max_pool_f32_avx512},
    {"avx2", Isa::avx2, max_pool_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, max_pool_f32_neon},
#endif
    {"scalar", Isa::none, max_pool_f32_scalar},
    {"reference", Isa::none, max_pool_f32_reference},
  };
  return kVariants;
}

std::span<const Variant<PoolRowF32>> average_pool_f32_variants() {
  static constexpr Variant<PoolRowF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, average_pool_f32_avx512},
    {"avx2", Isa::avx2, average_pool_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, average_pool_f32_neon},
#endif
    {"scalar", Isa::none, average_pool_f32_scalar},
    {"reference", Isa::none, average_pool_f32_reference},
  };
  return kVariants;
}

std::span<const Variant<GlobalAverageF32>> global_average_f32_variants() {
  static constexpr Variant<GlobalAverageF32> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, global_average_f32_avx512},
    {"avx2", Isa::avx2, global_average_f32_avx2},
#endif
#if defined(TESSERA_NEON)
    {"neon", Isa::neon, global_average_f32_neon},
#endif
    {"scalar", Isa::none, global_average_f32_scalar},
    {"reference", Isa::none, global_average_f32_reference},
  };
  return kVariants;
}

std::size_t max_pool_scratch_floats(const PoolShape& shape) {
  // Where the greatest of every column and then of every row are clearly fewer steps than whole windows.
  const std::int64_t direct = shape.ow * shape.kh * shape.kw, separable = shape.w * shape.kh + shape.ow * shape.kw;
  if (shape.kh * shape.kw < 16 || 4 * separable > 3 * direct) return 0;
  return static_cast<std::size_t>(shape.w * kMaxPoolColumnBlock);
}

}  // namespace tessera
