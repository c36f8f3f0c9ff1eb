#pragma once
// The entry points softmax.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/softmax/softmax.h"

namespace tessera {

SoftmaxF32 softmax_f32_avx512, softmax_f32_avx2, softmax_f32_neon, softmax_f32_scalar, softmax_f32_reference;

}  // namespace tessera
