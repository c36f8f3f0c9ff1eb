#pragma once
// The entry points upsample.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/upsample/upsample.h"

namespace tessera {

UpsampleRowF32 upsample_f32_avx512, upsample_f32_avx2, upsample_f32_neon, upsample_f32_scalar, upsample_f32_reference;

}  // namespace tessera
