#pragma once
// The functions of base/elementwise.h as formulas, in double: what every kernel is held against.

#include "base/elementwise.h"

namespace tessera {

double binary_value(BinaryKind kind, double a, double b);
double unary_value(UnaryKind kind, double x, double alpha, double beta);

}  // namespace tessera
