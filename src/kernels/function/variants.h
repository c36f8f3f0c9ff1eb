#pragma once
// The entry points function.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/function/function.h"

namespace tessera {

BinaryF32 binary_f32_avx512, binary_f32_avx2, binary_f32_neon, binary_f32_scalar, binary_f32_reference;
UnaryF32 unary_f32_avx512, unary_f32_avx2, unary_f32_neon, unary_f32_scalar, unary_f32_reference;

}  // namespace tessera
