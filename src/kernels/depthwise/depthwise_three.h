#pragma once
// A pair of rows of a 3 x 3 depthwise convolution over a vector type V (kernels/activation/vec_<isa>.h), all weights in
// registers. Everything stands in an unnamed namespace, see gemm_body.h.

#include "kernels/depthwise/depthwise_line.h"

namespace tessera {
namespace {

/// kStride: rows of taps from the upper outputs to the lower. kShift: columns of taps from one vector to the next,
/// which share what is loaded; 0 when that is no small number (rows seen as runs of floats).
template <class V, int kStride, int kShift>
struct Three {
  using Reg = typename V::Reg;
  static constexpr int kRows = 3 + kStride;

  const Line& line;
  const Sink<V>& sink;
  const float* rows[kRows];  // of source, at the present vector
  Reg weights[9], bias;

  Three(const Line& from, const Sink<V>& to) : line(from), sink(to), bias(V::load(from.bias)) {
#pragma GCC unroll 5
    for (int r = 0; r < kRows; ++r) rows[r] = line.src + r * line.down;
#pragma GCC unroll 9
    for (int t = 0; t < 9; ++t) weights[t] = V::load(line.weights + t * V::kLanes);
  }

  /// The sums of vectors i .. i + kVectors, taps [kFrom, kTo) across.
  template <int kVectors, int kFrom, int kTo, class Lanes>
  [[gnu::always_inline]] void next(std::int64_t i, const Lanes& lanes) {
    Reg upper[kVectors], lower[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) upper[v] = lower[v] = bias;
#pragma GCC unroll 5
    for (int r = 0; r < kRows; ++r) {
      if (r >= line.rows.from && r < line.rows.to) add_row<kVectors, kFrom, kTo>(upper, lower, r, lanes);
      rows[r] += kVectors * line.step;
    }
    sink.template put<kVectors>(upper, line.place, 0, line.n, i, lanes);
    sink.template put<kVectors>(lower, line.place, 1, line.n, i, lanes);
  }

  template <int kVectors, int kFrom, int kTo, class Lanes>
  [[gnu::always_inline]] void add_row(Reg (&upper)[kVectors], Reg (&lower)[kVectors], int r, const Lanes& lanes) const {
    constexpr bool kShared = kShift > 0;
    constexpr int kLoads = kShared ? (kVectors - 1) * kShift + 3 : 3 * kVectors;
    Reg column[kLoads];
#pragma GCC unroll 12
    for (int c = 0; c < kLoads; ++c) {
      const int across = kShared ? c : c % 3, vector = kShared ? 0 : c / 3;
      if (across < kFrom || (kVectors == 1 && across >= kTo)) continue;
      column[c] = lanes.load(rows[r] + across * line.right + vector * line.step);
    }
#pragma GCC unroll 3
    for (int kx = kFrom; kx < kTo; ++kx) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const Reg value = column[v * (kShared ? kShift : 3) + kx];
        if (r < 3) upper[v] = V::fma(value, weights[r * 3 + kx], upper[v]);
        if (r >= kStride) lower[v] = V::fma(value, weights[(r - kStride) * 3 + kx], lower[v]);
      }
    }
  }
};

/// At most one vector at either end lacks taps, and only one.
template <class V, int kStride, int kShift, class Lanes>
void three_line(const Line& in, const Outlet& out, const Lanes& lanes) {
  const Line line = in;  // a copy: the compiler sees that no store changes it
  const Sink<V> sink(out);
  Three<V, kStride, kShift> three(line, sink);
  constexpr int kVectors = kShift == 0 ? 2 : 4;
  std::int64_t i = 0;
  if (line.inner.from > 0) three.template next<1, 1, 3>(i++, lanes);
  for (; i + kVectors <= line.inner.to; i += kVectors) three.template next<kVectors, 0, 3>(i, lanes);
  for (; i < line.inner.to; ++i) three.template next<1, 0, 3>(i, lanes);
  if (i < line.n) three.template next<1, 0, 2>(i, lanes);
}

}  // namespace
}  // namespace tessera
