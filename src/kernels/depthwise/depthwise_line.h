#pragma once
// Lines of outputs of a depthwise convolution over a vector type V (kernels/activation/vec_<isa>.h). Everything stands
// in an unnamed namespace, see gemm_body.h.

#include "kernels/channels.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/depthwise/depthwise_sink.h"

namespace tessera {
namespace {

/// [from, to) of an axis.
struct Range {
  std::int64_t from = 0, to = 0;
};

/// The taps of output o that lie inside an axis of `size` pixels.
inline Range taps_inside(std::int64_t o, std::int64_t stride, std::int64_t pad, std::int64_t dilation, std::int64_t k,
                         std::int64_t size) {
  const std::int64_t first = o * stride - pad;
  Range taps{0, k};
  while (taps.from < taps.to && first + taps.from * dilation < 0) ++taps.from;
  while (taps.to > taps.from && first + (taps.to - 1) * dilation >= size) --taps.to;
  return taps;
}
inline Range taps_across(const ConvShape& s, std::int64_t x) { return taps_inside(x, s.sw, s.pl, s.dw, s.kw, s.iw); }

/// n vectors of outputs with the same weights, in one row or in two below one another.
struct Line {
  const float* src = nullptr;                  ///< the first vector's tap (0, 0); it may lie outside the image
  std::int64_t step = 0, right = 0, down = 0;  ///< floats to the next vector, the next tap, the next row of taps
  std::int64_t n = 0;
  Range inner;                     ///< the vectors with all taps across
  std::int64_t x = 0;              ///< the first vector's pixel; one each where taps are missing
  Range rows;                      ///< the rows of taps inside the image, from the first output's first tap down
  const float* weights = nullptr;  ///< [kh][kw][lanes]
  const float* bias = nullptr;     ///< [lanes]
  Place place;
};

/// Taps of any kernel, weights read as they are used.
template <class V>
struct AnyTaps {
  std::int64_t kh, kw, stride;
  Range across;
  const float* weights;
  auto weight(std::int64_t ky, std::int64_t kx) const { return V::load(weights + (ky * kw + kx) * V::kLanes); }
};
/// Adds a row of taps to the sums of two rows of outputs, for which it has the numbers upper and lower; what is loaded
/// serves both.
template <class V, bool kUpper, bool kLower, int kVectors, class Lanes>
[[gnu::always_inline]] inline void add_row(typename V::Reg (&acc)[2][kVectors], const float* src, const Line& line,
                                           std::int64_t upper, std::int64_t lower, const AnyTaps<V>& taps,
                                           const Lanes& lanes) {
  for (std::int64_t kx = taps.across.from; kx < taps.across.to; ++kx) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const auto value = lanes.load(src + kx * line.right + v * line.step);
      if constexpr (kUpper) acc[0][v] = V::fma(value, taps.weight(upper, kx), acc[0][v]);
      if constexpr (kLower) acc[1][v] = V::fma(value, taps.weight(lower, kx), acc[1][v]);
    }
  }
}

template <class V, int kVectors, class Lanes>
[[gnu::always_inline]] inline void pair_sums(const Line& line, std::int64_t i, const Sink<V>& sink,
                                             const AnyTaps<V>& taps, const Lanes& lanes) {
  typename V::Reg acc[2][kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) acc[0][v] = acc[1][v] = V::load(line.bias);
  const float* src = line.src + i * line.step;
  const auto inside = [&](std::int64_t row) { return row >= line.rows.from && row < line.rows.to; };
  for (std::int64_t row = 0; row < taps.stride; ++row, src += line.down) {
    if (inside(row)) add_row<V, true, false>(acc, src, line, row, 0, taps, lanes);
  }
  for (std::int64_t row = taps.stride; row < taps.kh; ++row, src += line.down) {
    if (inside(row)) add_row<V, true, true>(acc, src, line, row, row - taps.stride, taps, lanes);
  }
  for (std::int64_t row = taps.kh; row < taps.kh + taps.stride; ++row, src += line.down) {
    if (inside(row)) add_row<V, false, true>(acc, src, line, 0, row - taps.stride, taps, lanes);
  }
  sink.template put<kVectors>(acc[0], line.place, 0, line.n, i, lanes);
  sink.template put<kVectors>(acc[1], line.place, 1, line.n, i, lanes);
}

template <class V, int kVectors, class Lanes>
[[gnu::always_inline]] inline void single_sums(const Line& line, std::int64_t i, const Sink<V>& sink,
                                               const AnyTaps<V>& taps, const Lanes& lanes) {
  typename V::Reg acc[2][kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) acc[0][v] = V::load(line.bias);
  for (std::int64_t ky = line.rows.from; ky < line.rows.to; ++ky) {
    add_row<V, true, false>(acc, line.src + i * line.step + ky * line.down, line, ky, 0, taps, lanes);
  }
  sink.template put<kVectors>(acc[0], line.place, 0, line.n, i, lanes);
}

/// One row, or a pair of them, with any kernel.
template <class V, bool kPair, class Lanes>
void any_line(const Line& in, const ConvShape& s, const Outlet& out, const Lanes& lanes) {
  const Line line = in;  // copies: the compiler sees that no store changes them
  const Sink<V> sink(out);
  const auto sums = [&]<int kVectors>(std::int64_t i, Range across) [[gnu::always_inline]] {
    const AnyTaps<V> taps{s.kh, s.kw, s.sh, across, line.weights};
    if constexpr (kPair) pair_sums<V, kVectors>(line, i, sink, taps, lanes);
    if constexpr (!kPair) single_sums<V, kVectors>(line, i, sink, taps, lanes);
  };
  const auto border = [&](std::int64_t i) { sums.template operator()<1>(i, taps_across(s, line.x + i)); };
  constexpr int kVectors = 4;
  std::int64_t i = 0;
  for (; i < line.inner.from; ++i) border(i);
  for (; i + kVectors <= line.inner.to; i += kVectors) sums.template operator()<kVectors>(i, {0, s.kw});
  for (; i < line.inner.to; ++i) sums.template operator()<1>(i, {0, s.kw});
  for (; i < line.n; ++i) border(i);
}

}  // namespace
}  // namespace tessera
