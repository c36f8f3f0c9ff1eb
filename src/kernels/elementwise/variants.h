#pragma once
// The entry points elementwise.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/elementwise/elementwise.h"

namespace tessera {

AddF32 add_f32_avx512, add_f32_avx2, add_f32_neon, add_f32_scalar, add_f32_reference;
MulF32 mul_f32_avx512, mul_f32_avx2, mul_f32_neon, mul_f32_scalar, mul_f32_reference;

}  // namespace tessera
