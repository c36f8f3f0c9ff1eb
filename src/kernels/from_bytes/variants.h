#pragma once
// The entry points from_bytes.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/from_bytes/from_bytes.h"

namespace tessera {

FromBytesF32 from_bytes_f32_avx512, from_bytes_f32_avx2, from_bytes_f32_neon, from_bytes_f32_scalar,
    from_bytes_f32_reference;

}  // namespace tessera
