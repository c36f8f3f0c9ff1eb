#pragma once
// The tables behind winograd_variants(); each stands in the file of its instruction set.

#include "kernels/winograd/winograd.h"

namespace tessera {

extern const WinogradTransforms kWinogradAvx512;
extern const WinogradTransforms kWinogradAvx2;
extern const WinogradTransforms kWinogradNeon;
extern const WinogradTransforms kWinogradScalar;

}  // namespace tessera
