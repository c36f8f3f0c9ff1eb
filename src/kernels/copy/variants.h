#pragma once
// The entry points copy.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/copy/copy.h"

namespace tessera {

CopyF32 copy_f32_avx512, copy_f32_avx2, copy_f32_neon, copy_f32_scalar, copy_f32_reference;

}  // namespace tessera
