#pragma once
// The tables behind winograd_variants(); each stands in the file of its instruction set.

#include "kernels/winograd/winograd.h"

namespace tessera {

extern const WinogradIsa kWinogradAvx512;
extern const WinogradIsa kWinogradAvx2;
extern const WinogradIsa kWinogradNeon;
extern const WinogradIsa kWinogradScalar;

}  // namespace tessera
