#pragma once
// The entry points pool.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/pool/pool.h"

namespace tessera {

/// Channels whose column maxima are held at once: a row of 160 pixels stays in L1.
inline constexpr std::int64_t kMaxPoolColumnBlock = 64;

PoolRowF32 max_pool_f32_avx512, max_pool_f32_avx2, max_pool_f32_neon, max_pool_f32_scalar, max_pool_f32_reference;
PoolRowF32 average_pool_f32_avx512, average_pool_f32_avx2, average_pool_f32_neon, average_pool_f32_scalar,
    average_pool_f32_reference;
GlobalAverageF32 global_average_f32_avx512, global_average_f32_avx2, global_average_f32_neon, global_average_f32_scalar,
    global_average_f32_reference;

}  // namespace tessera
