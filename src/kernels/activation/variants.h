#pragma once
// The entry points activation.cc lists; each is defined in its ISA's file, if that is built.

#include "kernels/activation/activation.h"

namespace tessera {

ActivateF32 activate_f32_avx512, activate_f32_avx2, activate_f32_neon, activate_f32_scalar, activate_f32_reference;

}  // namespace tessera
