#pragma once
// The element-wise functions a graph can name. They stand in base because graphs and kernels, which do not see each
// other, both speak of them.

#include <cstdint>

namespace tessera {

/// Mish is x*tanh(softplus(x)); HardMish is x*clamp(x+2,0,2)/2: different on purpose.
enum class Activation : std::uint8_t { linear, relu, relu6, leaky, mish, hard_mish, silu, logistic, hard_swish, tanh };

/// An activation and its slope (leaky only).
struct ActivationSpec {
  Activation kind = Activation::linear;
  float alpha = 0.1f;
  bool operator==(const ActivationSpec&) const = default;
};

}  // namespace tessera
