#pragma once
// The functions of one and of two numbers, and the reductions, that a graph can name beside the activations. They stand
// in base because graphs and kernels, which do not see each other, both speak of them. Truth values are 0 and 1; any
// number but 0 is true.

#include <cstdint>

namespace tessera {

/// Of a and b. Divisions by zero, roots and powers are those of IEEE 754; NaN in min or max gives NaN.
enum class BinaryKind : std::uint8_t {
  add,
  sub,
  mul,
  div,
  min,
  max,
  pow,
  mod,   ///< the remainder with the sign of b
  fmod,  ///< the remainder with the sign of a
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  and_,
  or_,
  xor_,
  prelu,    ///< a < 0 ? a * b : a
  int_div,  ///< truncated quotient
};

/// Of x; alpha and beta are parameters where the comment says so.
enum class UnaryKind : std::uint8_t {
  exp,
  log,
  sqrt,
  neg,
  abs,
  reciprocal,
  floor,
  ceil,
  round,  ///< half to even
  erf,
  sin,
  cos,
  softplus,      ///< log(1 + e^x)
  elu,           ///< x < 0 ? alpha * (e^x - 1) : x
  hard_sigmoid,  ///< min(max(alpha * x + beta, 0), 1)
  clip,          ///< min(max(x, alpha), beta)
  not_,
  truncate,
  sign,
  gelu,       ///< x * (1 + erf(x / sqrt(2))) / 2
  gelu_tanh,  ///< x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2
};

/// Over several numbers in order. argmax and argmin give the position of the first (or last) of equals; they pass NaN
/// over, max and min give it.
enum class ReduceKind : std::uint8_t { mean, max, min, sum, prod, l2, argmax, argmin };

}  // namespace tessera
