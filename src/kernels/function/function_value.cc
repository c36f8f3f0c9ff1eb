#include "kernels/function/function_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tessera {
namespace {

double floored_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// std::min and std::max would pass a NaN over when it is the other operand.
double nan_or(double a, double b, double chosen) { return std::isnan(a) || std::isnan(b) ? a + b : chosen; }

double gelu_tanh(double x) {
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

// Half to even, whatever the caller's rounding mode.
double round_half_even(double x) {
  const double whole = std::round(x);  // half away from zero
  const bool tie = std::abs(x - std::trunc(x)) == 0.5;
  return tie ? std::copysign(2 * std::trunc(whole / 2), x) : whole;
}

double sign(double x) { return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)); }

double clip(double x, double low, double high) { return std::isnan(x) ? x : std::min(std::max(x, low), high); }

double arithmetic(BinaryKind kind, double a, double b) {
  switch (kind) {
    case BinaryKind::sub:
      return a - b;
    case BinaryKind::mul:
      return a * b;
    case BinaryKind::div:
      return a / b;
    case BinaryKind::min:
      return nan_or(a, b, std::min(a, b));
    case BinaryKind::max:
      return nan_or(a, b, std::max(a, b));
    case BinaryKind::pow:
      return std::pow(a, b);
    case BinaryKind::mod:
      return floored_mod(a, b);
    case BinaryKind::fmod:
      return std::fmod(a, b);
    case BinaryKind::prelu:
      return a < 0 ? a * b : a;
    case BinaryKind::int_div:
      return std::trunc(a / b);
    default:
      return a + b;
  }
}

double smooth(UnaryKind kind, double x) {
  switch (kind) {
    case UnaryKind::exp:
      return std::exp(x);
    case UnaryKind::log:
      return std::log(x);
    case UnaryKind::sqrt:
      return std::sqrt(x);
    case UnaryKind::erf:
      return std::erf(x);
    case UnaryKind::sin:
      return std::sin(x);
    case UnaryKind::cos:
      return std::cos(x);
    case UnaryKind::softplus:  // e^-|x| never overflows
      return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
    case UnaryKind::gelu:
      return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case UnaryKind::gelu_tanh:
      return gelu_tanh(x);
    default:
      return 1 / x;
  }
}

}  // namespace

double binary_value(BinaryKind kind, double a, double b) {
  switch (kind) {
    case BinaryKind::less:
      return a < b;
    case BinaryKind::less_equal:
      return a <= b;
    case BinaryKind::greater:
      return a > b;
    case BinaryKind::greater_equal:
      return a >= b;
    case BinaryKind::equal:
      return a == b;
    case BinaryKind::and_:
      return a != 0 && b != 0;
    case BinaryKind::or_:
      return a != 0 || b != 0;
    case BinaryKind::xor_:
      return (a != 0) != (b != 0);
    default:
      return arithmetic(kind, a, b);
  }
}

double unary_value(UnaryKind kind, double x, double alpha, double beta) {
  switch (kind) {
    case UnaryKind::neg:
      return -x;
    case UnaryKind::abs:
      return std::abs(x);
    case UnaryKind::floor:
      return std::floor(x);
    case UnaryKind::ceil:
      return std::ceil(x);
    case UnaryKind::round:
      return round_half_even(x);
    case UnaryKind::truncate:
      return std::trunc(x);
    case UnaryKind::sign:
      return sign(x);
    case UnaryKind::not_:
      return x == 0;
    case UnaryKind::elu:
      return x < 0 ? alpha * std::expm1(x) : x;
    case UnaryKind::hard_sigmoid:
      return clip(alpha * x + beta, 0, 1);
    case UnaryKind::clip:
      return clip(x, alpha, beta);
    default:
      return smooth(kind, x);
  }
}

}  // namespace tessera
