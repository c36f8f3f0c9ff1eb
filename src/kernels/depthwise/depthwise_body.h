#pragma once
// The body of the depthwise kernels over a vector type V (kernels/activation/vec_<isa>.h). Everything stands in an
// unnamed namespace, see gemm_body.h.

#include "kernels/depthwise/depthwise.h"
#include "kernels/gemm/tile_finish.h"

namespace tessera {
namespace {

/// Loads a vector of channels; all lanes but in the last block of a row of channels.
template <class V, bool kWhole>
[[gnu::always_inline]] inline typename V::Reg load_channels(const float* p, int channels) {
  if constexpr (kWhole) return V::load(p);
  return V::load_first(p, channels);
}

/// kPixels sums next to one another, no tap left or right of the image. For 3 taps every loaded pixel serves all the
/// sums it belongs to.
template <class V, bool kWhole, int kPixels, int kStride>
[[gnu::always_inline]] inline void sums_of_3(typename V::Reg (&acc)[kPixels], const DepthwiseRow& row, std::int64_t x) {
  constexpr int kColumns = (kPixels - 1) * kStride + 3;
  const float* line = row.src + (x * kStride - row.pl) * row.src_stride;
  const float* w = row.weights;
  for (std::int64_t ky = 0; ky < row.taps_down; ++ky, line += row.src_row, w += 3 * V::kLanes) {
    typename V::Reg column[kColumns];
#pragma GCC unroll 16
    for (int i = 0; i < kColumns; ++i) column[i] = load_channels<V, kWhole>(line + i * row.src_stride, row.channels);
#pragma GCC unroll 3
    for (int kx = 0; kx < 3; ++kx) {
      const auto weight = V::load(w + kx * V::kLanes);
#pragma GCC unroll 16
      for (int p = 0; p < kPixels; ++p) acc[p] = V::fma(column[p * kStride + kx], weight, acc[p]);
    }
  }
}

/// Taps [from, to) across.
template <class V, bool kWhole, int kPixels>
[[gnu::always_inline]] inline void sums(typename V::Reg (&acc)[kPixels], const DepthwiseRow& row, std::int64_t x,
                                        std::int64_t from, std::int64_t to) {
  const std::int64_t step = row.sw * row.src_stride;
  for (std::int64_t ky = 0; ky < row.taps_down; ++ky) {
    const float* w = row.weights + ky * row.kw * V::kLanes;
    const float* line = row.src + ky * row.src_row + (x * row.sw - row.pl) * row.src_stride;
    for (std::int64_t kx = from; kx < to; ++kx) {
      const auto weight = V::load(w + kx * V::kLanes);
      const float* tap = line + kx * row.dw * row.src_stride;
#pragma GCC unroll 16
      for (int p = 0; p < kPixels; ++p) {
        acc[p] = V::fma(load_channels<V, kWhole>(tap + p * step, row.channels), weight, acc[p]);
      }
    }
  }
}

/// linear, relu and relu6 are a clamp: done on the way out. NaN passes, as the constants stand first.
struct Clamp {
  float low = -__builtin_inff(), high = __builtin_inff();
  bool enough = false;
};
inline Clamp clamp_of(const DepthwiseRow& row) {
  if (row.residual) return {};
  switch (row.epilogue->act.kind) {
    case Activation::linear:
      return {.enough = true};
    case Activation::relu:
      return {.low = 0.0f, .enough = true};
    case Activation::relu6:
      return {.low = 0.0f, .high = 6.0f, .enough = true};
    default:
      return {};
  }
}

template <class V, bool kWhole, int kPixels>
[[gnu::always_inline]] inline void store_sums(const typename V::Reg (&acc)[kPixels], const DepthwiseRow& row,
                                              const Clamp& clamp, std::int64_t x) {
#pragma GCC unroll 16
  for (int p = 0; p < kPixels; ++p) {
    if (!clamp.enough) {
      V::store(row.scratch + (x + p) * V::kLanes, acc[p]);
      continue;
    }
    const auto value = V::min(V::set1(clamp.high), V::max(V::set1(clamp.low), acc[p]));
    float* dst = row.dst + (x + p) * row.dst_stride;
    kWhole ? V::store(dst, value) : V::store_first(dst, value, row.channels);
  }
}

enum class Taps { three_stride_1, three_stride_2, any };

template <class V, bool kWhole, int kPixels, Taps kTaps>
[[gnu::always_inline]] inline void inner_pixels(const DepthwiseRow& row, const Clamp& clamp, std::int64_t x) {
  typename V::Reg acc[kPixels];
#pragma GCC unroll 16
  for (int p = 0; p < kPixels; ++p) acc[p] = V::load(row.start);
  if constexpr (kTaps == Taps::three_stride_1) sums_of_3<V, kWhole, kPixels, 1>(acc, row, x);
  if constexpr (kTaps == Taps::three_stride_2) sums_of_3<V, kWhole, kPixels, 2>(acc, row, x);
  if constexpr (kTaps == Taps::any) sums<V, kWhole, kPixels>(acc, row, x, 0, row.kw);
  store_sums<V, kWhole, kPixels>(acc, row, clamp, x);
}

/// Output x with the taps that lie inside: those left of it are skipped by rounding up, those right by rounding down.
template <class V, bool kWhole>
[[gnu::always_inline]] inline void border_pixel(const DepthwiseRow& row, const Clamp& clamp, std::int64_t x) {
  const std::int64_t ix = x * row.sw - row.pl;
  std::int64_t from = 0, to = row.kw;
  while (from < to && ix + from * row.dw < 0) ++from;
  while (to > from && ix + (to - 1) * row.dw >= row.iw) --to;
  typename V::Reg acc[1] = {V::load(row.start)};
  sums<V, kWhole, 1>(acc, row, x, from, to);
  store_sums<V, kWhole, 1>(acc, row, clamp, x);
}

template <class V, bool kWhole, Taps kTaps>
void row_of(const DepthwiseRow& row) {
  constexpr int kPixels = 4;
  const Clamp clamp = clamp_of(row);
  const auto inside = [&](std::int64_t x) {
    return x * row.sw - row.pl >= 0 && x * row.sw - row.pl + (row.kw - 1) * row.dw < row.iw;
  };
  std::int64_t x = 0;
  for (; x < row.ow && !inside(x); ++x) border_pixel<V, kWhole>(row, clamp, x);
  for (; x + kPixels <= row.ow && inside(x + kPixels - 1); x += kPixels) {
    inner_pixels<V, kWhole, kPixels, kTaps>(row, clamp, x);
  }
  for (; x < row.ow && inside(x); ++x) inner_pixels<V, kWhole, 1, kTaps>(row, clamp, x);
  for (; x < row.ow; ++x) border_pixel<V, kWhole>(row, clamp, x);
  if (clamp.enough) return;
  finish<V>({.dst = row.dst,
             .dst_stride = row.dst_stride,
             .columns = row.channels,
             .residual = row.residual,
             .residual_stride = row.residual_stride,
             .epilogue = row.epilogue,
             .scratch = row.scratch},
            row.ow, V::kLanes);
}

template <class V, bool kWhole>
void row_of(const DepthwiseRow& row) {
  if (row.kw == 3 && row.dw == 1 && row.sw == 1) return row_of<V, kWhole, Taps::three_stride_1>(row);
  if (row.kw == 3 && row.dw == 1 && row.sw == 2) return row_of<V, kWhole, Taps::three_stride_2>(row);
  row_of<V, kWhole, Taps::any>(row);
}

template <class V>
void depthwise_row(const DepthwiseRow& row) {
  row.channels == V::kLanes ? row_of<V, true>(row) : row_of<V, false>(row);
}

}  // namespace
}  // namespace tessera
