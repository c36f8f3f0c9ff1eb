#include "kernels/activation/activation_value.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

// tanh(log(1 + e^x)) without overflow or cancellation: both forms are (n^2 + 2n) / (n^2 + 2n + 2) with n = e^x.
double tanh_softplus(double x) {
  const double u = std::exp(-std::fabs(x));
  return x > 0 ? (1 + 2 * u) / (1 + 2 * u + 2 * u * u) : (u * u + 2 * u) / (u * u + 2 * u + 2);
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

double activation_value(double x, ActivationSpec act) {
  if (std::isnan(x)) return x;
  // Factors that are 0 at minus infinity meet the largest double instead: the limit is -0.
  const double finite = std::max(x, -1e300);
  switch (act.kind) {
    case Activation::linear:
      return x;
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::relu6:
      return std::clamp(x, 0.0, 6.0);
    case Activation::leaky:
      return std::signbit(x) ? x * static_cast<double>(act.alpha) : x;
    case Activation::mish:
      return finite * tanh_softplus(x);
    case Activation::hard_mish:
      return finite * std::clamp(x + 2, 0.0, 2.0) / 2;
    case Activation::silu:
      return finite * sigmoid(x);
    case Activation::logistic:
      return sigmoid(x);
    case Activation::hard_swish:
      return finite * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Activation::tanh:
      return std::tanh(x);
  }
  return x;
}

}  // namespace tessera
