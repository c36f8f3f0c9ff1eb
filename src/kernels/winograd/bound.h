#pragma once
// How far a Winograd convolution may be from the exact sum, known before it runs.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/winograd/scheme.h"

namespace tessera {

/// Along one axis: [elements][inputs], [elements][3], [outputs][elements].
struct WinogradMatrices {
  using Matrix = std::vector<std::vector<double>>;
  Matrix bt, g, at;
};
const WinogradMatrices& winograd_matrices(const WinogradScheme& scheme);

/// (ic + 30) u: each number takes at most 4 roundings in each of the two input passes, 4 in each pass over the weights
/// (one more for each rounded constant is among them), 5 in each output pass, ic in the sum and 1 for the bias, 27 +
/// ic; 3 for their products and the rounding of what it is compared with. u = 2^-24.
double winograd_rounding(std::int64_t ic);

/// The largest error that any output before the epilogue can have: winograd_rounding(ic) times the largest
/// |A^T| (sum over channels of (|B^T| |d| |B|) * (|G| |g| |G^T|)) |A| + |bias|, with every input of channel i as large
/// as magnitudes[i]. weights [oc][ic][3][3], bias null or [oc].
double winograd_bound(const WinogradScheme& scheme, std::int64_t oc, const float* weights, const float* bias,
                      std::span<const double> magnitudes);

}  // namespace tessera
