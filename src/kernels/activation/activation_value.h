#pragma once
// The activation functions themselves, in double: what every kernel is held against, and what the reference loops of
// this folder and of device/reference compute with. The caller rounds once.

#include "base/activation.h"

namespace tessera {

/// NaN gives NaN, infinities the limits; within a few roundings of the exact value everywhere, without overflow.
double activation_value(double x, ActivationSpec act);

}  // namespace tessera
