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

/// Adds `taps` neighbouring taps to the sums of an upper and a lower row, each with its own weights; what is loaded
/// serves both.
template <class V, bool kUpper, bool kLower, int kVectors, class Lanes>
[[gnu::always_inline]] inline void add_taps(typename V::Reg (&acc)[2][kVectors], const Line& line, const float* src,
                                            const float* upper, const float* lower, std::int64_t taps,
                                            const Lanes& lanes) {
  for (; taps > 0; --taps, src += line.right, upper += V::kLanes, lower += V::kLanes) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const auto value = lanes.load(src + v * line.step);
      if constexpr (kUpper) acc[0][v] = V::fma(value, V::load(upper), acc[0][v]);
      if constexpr (kLower) acc[1][v] = V::fma(value, V::load(lower), acc[1][v]);
    }
  }
}

/// Any kernel, weights read as they are used: vectors i .. i + kVectors with the same taps across, of a pair of rows or
/// of one.
template <class V, bool kPair, int kVectors, class Lanes>
[[gnu::always_inline]] inline void any_sums(const Line& line, const ConvShape& s, std::int64_t i, const Range& across,
                                            const Sink<V>& sink, const Lanes& lanes) {
  typename V::Reg acc[2][kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) acc[0][v] = acc[1][v] = V::load(line.bias);
  const std::int64_t taps = across.to - across.from, row_of_weights = s.kw * V::kLanes;
  for (std::int64_t row = line.rows.from; row < line.rows.to; ++row) {
    const float* src = line.src + i * line.step + row * line.down + across.from * line.right;
    const float* upper = line.weights + row * row_of_weights + across.from * V::kLanes;
    const float* lower = upper - s.sh * row_of_weights;
    if (!kPair || row < s.sh) {
      add_taps<V, true, false>(acc, line, src, upper, lower, taps, lanes);
    } else if (row < s.kh) {
      add_taps<V, true, true>(acc, line, src, upper, lower, taps, lanes);
    } else {
      add_taps<V, false, true>(acc, line, src, upper, lower, taps, lanes);
    }
  }
  sink.template put<kVectors>(acc[0], line.place, 0, line.n, i, lanes);
  if constexpr (kPair) sink.template put<kVectors>(acc[1], line.place, 1, line.n, i, lanes);
}

template <class V, bool kPair, class Lanes>
void any_line(const Line& in, const ConvShape& s, const Outlet& out, const Lanes& lanes) {
  const Line line = in;  // a copy: the compiler sees that no store changes it
  const Sink<V> sink(out);
  const Range all{0, s.kw};
  const auto border = [&](std::int64_t i) {
    any_sums<V, kPair, 1>(line, s, i, taps_across(s, line.x + i), sink, lanes);
  };
  std::int64_t i = 0;
  for (; i < line.inner.from; ++i) border(i);
  for (; i + 4 <= line.inner.to; i += 4) any_sums<V, kPair, 4>(line, s, i, all, sink, lanes);
  for (; i + 2 <= line.inner.to; i += 2) any_sums<V, kPair, 2>(line, s, i, all, sink, lanes);
  for (; i < line.inner.to; ++i) any_sums<V, kPair, 1>(line, s, i, all, sink, lanes);
  for (; i < line.n; ++i) border(i);
}

}  // namespace
}  // namespace tessera
