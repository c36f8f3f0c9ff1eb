#include "kernels/winograd/bound.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera {
namespace {

using Matrix = WinogradMatrices::Matrix;

// F(4, 3) as printed in the paper (winograd.h). transform_body.h moves factors from rows of G to those of B^T: the
// products of magnitudes, all that counts here, stay.
WinogradMatrices f4() {
  return {{{4, 0, -5, 0, 1, 0},
           {0, -4, -4, 1, 1, 0},
           {0, 4, -4, -1, 1, 0},
           {0, -2, -1, 2, 1, 0},
           {0, 2, -1, -2, 1, 0},
           {0, 4, 0, -5, 0, 1}},
          {{1.0 / 4, 0, 0},
           {-1.0 / 6, -1.0 / 6, -1.0 / 6},
           {-1.0 / 6, 1.0 / 6, -1.0 / 6},
           {1.0 / 24, 1.0 / 12, 1.0 / 6},
           {1.0 / 24, -1.0 / 12, 1.0 / 6},
           {0, 0, 1}},
          {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};
}
WinogradMatrices f2() {
  return {{{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, -1, 0, 1}},
          {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
          {{1, 1, 1, 0}, {0, 1, -1, 1}}};
}
// The even inputs by F(4, 2) with points 0, 1, -1, 2 and infinity, the odd ones as they are.
WinogradMatrices f4_stride2() {
  return {{{2, 0, -1, 0, -2, 0, 1, 0, 0},
           {0, 0, -2, 0, -1, 0, 1, 0, 0},
           {0, 0, 2, 0, -3, 0, 1, 0, 0},
           {0, 0, -1, 0, 0, 0, 1, 0, 0},
           {0, 0, 2, 0, -1, 0, -2, 0, 1},
           {0, 1, 0, 0, 0, 0, 0, 0, 0},
           {0, 0, 0, 1, 0, 0, 0, 0, 0},
           {0, 0, 0, 0, 0, 1, 0, 0, 0},
           {0, 0, 0, 0, 0, 0, 0, 1, 0}},
          {{0.5, 0, 0},
           {-0.5, 0, -0.5},
           {-1.0 / 6, 0, 1.0 / 6},
           {1.0 / 6, 0, 1.0 / 3},
           {0, 0, 1},
           {0, 1, 0},
           {0, 1, 0},
           {0, 1, 0},
           {0, 1, 0}},
          {{1, 1, 1, 1, 0, 1, 0, 0, 0},
           {0, 1, -1, 2, 0, 0, 1, 0, 0},
           {0, 1, 1, 4, 0, 0, 0, 1, 0},
           {0, 1, -1, 8, 1, 0, 0, 0, 1}}};
}

/// |m| x |m|^T of a square x.
Matrix both_sides(const Matrix& m, const Matrix& x) {
  Matrix half(m.size(), std::vector<double>(x.size())), out(m.size(), std::vector<double>(m.size()));
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t a = 0; a < x.size(); ++a) {
      for (std::size_t b = 0; b < x.size(); ++b) half[i][b] += std::fabs(m[i][a]) * x[a][b];
    }
    for (std::size_t j = 0; j < m.size(); ++j) {
      for (std::size_t b = 0; b < x.size(); ++b) out[i][j] += half[i][b] * std::fabs(m[j][b]);
    }
  }
  return out;
}

/// Sum over channels of magnitude times |kernel|: the transforms are linear, so they are taken once.
Matrix weighted_kernel(const float* weights, std::span<const double> magnitudes) {
  Matrix out(3, std::vector<double>(3));
  for (std::size_t i = 0; i < magnitudes.size(); ++i) {
    for (std::size_t tap = 0; tap < 9; ++tap) {
      out[tap / 3][tap % 3] += magnitudes[i] * std::fabs(static_cast<double>(weights[i * 9 + tap]));
    }
  }
  return out;
}

double largest(const Matrix& m) {
  double out = 0;
  for (const auto& row : m) out = std::max(out, std::ranges::max(row));
  return out;
}

}  // namespace

const WinogradMatrices& winograd_matrices(const WinogradScheme& scheme) {
  static const WinogradMatrices kF4 = f4(), kF2 = f2(), kF4Stride2 = f4_stride2();
  return scheme.stride == 2 ? kF4Stride2 : scheme.out == 2 ? kF2 : kF4;
}

double winograd_rounding(std::int64_t ic) { return std::ldexp(static_cast<double>(ic) + 30, -24); }

double winograd_bound(const WinogradScheme& scheme, std::int64_t oc, const float* weights, const float* bias,
                      std::span<const double> magnitudes) {
  const WinogradMatrices& m = winograd_matrices(scheme);
  const auto in = static_cast<std::size_t>(scheme.in);
  const Matrix v = both_sides(m.bt, Matrix(in, std::vector<double>(in, 1)));
  double most = 0;
  for (std::int64_t o = 0; o < oc; ++o) {
    Matrix sums = both_sides(m.g, weighted_kernel(weights + o * 9 * std::ssize(magnitudes), magnitudes));
    for (std::size_t e = 0; e < in * in; ++e) sums[e / in][e % in] *= v[e / in][e % in];
    most = std::max(most, largest(both_sides(m.at, sums)) + (bias ? std::fabs(static_cast<double>(bias[o])) : 0));
  }
  return winograd_rounding(std::ssize(magnitudes)) * most;
}

}  // namespace tessera
