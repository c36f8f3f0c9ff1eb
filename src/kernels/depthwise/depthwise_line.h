#pragma once
// Lines of outputs of a depthwise convolution over a vector type V (kernels/activation/vec_<isa>.h). Everything stands
// in an unnamed namespace, see gemm_body.h.

#include "kernels/channels.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/gemm/tile_finish.h"

namespace tessera {
namespace {

/// Taps [from, to) of an axis.
struct Taps {
  std::int64_t from = 0, to = 0;
};

/// n vectors of outputs that use the same weights and the same taps, in one row or in two below one another.
struct Line {
  const float* src = nullptr;                  ///< the first vector's tap (0, 0); it may lie outside the image
  std::int64_t step = 0, right = 0, down = 0;  ///< floats to the next vector, the next tap, the next row of taps
  std::int64_t n = 0;
  Taps across, along;              ///< kx, ky
  const float* weights = nullptr;  ///< [kh][kw][lanes]
  std::int64_t kw = 0;
  const float* bias = nullptr;  ///< [lanes]
  float* dst = nullptr;
  std::int64_t dst_step = 0, dst_row = 0;
  const float* residual = nullptr;
  std::int64_t residual_step = 0, residual_row = 0;
  float* scratch = nullptr;  ///< [rows][n][lanes]
};

/// What becomes of sums. linear, relu and relu6 (a clamp) and leaky are done in registers; the rest goes through
/// scratch. NaN passes the clamp, as the constants stand first.
struct Outlet {
  enum { clamp, leaky, scratch } how = scratch;
  float low = -__builtin_inff(), high = __builtin_inff(), slope = 0;
  const GemmEpilogue* epilogue = nullptr;
};
inline Outlet outlet_of(const GemmEpilogue& epilogue, bool residual) {
  Outlet out{.epilogue = &epilogue};
  if (residual) return out;
  const Activation kind = epilogue.act.kind;
  if (kind == Activation::leaky) out.how = Outlet::leaky;
  if (kind == Activation::linear || kind == Activation::relu || kind == Activation::relu6) out.how = Outlet::clamp;
  if (kind == Activation::relu || kind == Activation::relu6) out.low = 0.0f;
  if (kind == Activation::relu6) out.high = 6.0f;
  out.slope = epilogue.act.alpha;
  return out;
}

/// Vectors i .. i + kVectors of a line's row.
template <class V, int kVectors, class Lanes>
[[gnu::always_inline]] inline void put(const typename V::Reg (&acc)[kVectors], const Line& line, std::int64_t row,
                                       std::int64_t i, const Outlet& out, const Lanes& lanes) {
  float* dst = line.dst + row * line.dst_row + i * line.dst_step;
  if (out.how == Outlet::leaky) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      lanes.store(dst + v * line.dst_step, activate<V, Activation::leaky>(acc[v], V::set1(out.slope)));
    }
  } else if (out.how == Outlet::clamp) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      lanes.store(dst + v * line.dst_step, V::min(V::set1(out.high), V::max(V::set1(out.low), acc[v])));
    }
  } else {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) V::store(line.scratch + (row * line.n + i + v) * V::kLanes, acc[v]);
  }
}

/// The epilogue of a line whose sums lie in scratch.
template <class V>
void finish_line(const Line& line, std::int64_t rows, const Outlet& out, std::int64_t channels) {
  if (out.how != Outlet::scratch) return;
  for (std::int64_t row = 0; row < rows; ++row) {
    finish<V>({.dst = line.dst + row * line.dst_row,
               .dst_stride = line.dst_step,
               .columns = channels,
               .residual = line.residual ? line.residual + row * line.residual_row : nullptr,
               .residual_stride = line.residual_step,
               .epilogue = out.epilogue,
               .scratch = line.scratch + row * line.n * V::kLanes},
              line.n, V::kLanes);
  }
}

/// kVectors sums with any taps.
template <class V, int kVectors, class Lanes>
[[gnu::always_inline]] inline void any_sums(const Line& line, std::int64_t i, const Outlet& out, const Lanes& lanes) {
  typename V::Reg acc[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) acc[v] = V::load(line.bias);
  for (std::int64_t ky = line.along.from; ky < line.along.to; ++ky) {
    const float* w = line.weights + ky * line.kw * V::kLanes;
    const float* src = line.src + ky * line.down + i * line.step;
    for (std::int64_t kx = line.across.from; kx < line.across.to; ++kx) {
      const auto weight = V::load(w + kx * V::kLanes);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        acc[v] = V::fma(lanes.load(src + kx * line.right + v * line.step), weight, acc[v]);
      }
    }
  }
  put<V, kVectors>(acc, line, 0, i, out, lanes);
}

template <class V, class Lanes>
void any_line(const Line& line, const Outlet& out, const Lanes& lanes) {
  std::int64_t i = 0;
  for (; i + 8 <= line.n; i += 8) any_sums<V, 8>(line, i, out, lanes);
  for (; i < line.n; ++i) any_sums<V, 1>(line, i, out, lanes);
}

/// kVectors sums in each of two rows, 3 x 3 with the taps [kFrom, kTo) across and all down: what is loaded serves both
/// rows.
template <class V, int kVectors, int kStride, int kFrom, int kTo, class Lanes>
[[gnu::always_inline]] inline void pair_sums(const typename V::Reg (&w)[9], const Line& line, std::int64_t i,
                                             const Outlet& out, const Lanes& lanes) {
  typename V::Reg upper[kVectors], lower[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) upper[v] = lower[v] = V::load(line.bias);
  const float* src = line.src + i * line.step;
#pragma GCC unroll 5
  for (int ky = 0; ky < 3 + kStride; ++ky, src += line.down) {
#pragma GCC unroll 3
    for (int kx = kFrom; kx < kTo; ++kx) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        const auto value = lanes.load(src + kx * line.right + v * line.step);
        if (ky < 3) upper[v] = V::fma(value, w[ky * 3 + kx], upper[v]);
        if (ky >= kStride) lower[v] = V::fma(value, w[(ky - kStride) * 3 + kx], lower[v]);
      }
    }
  }
  put<V, kVectors>(upper, line, 0, i, out, lanes);
  put<V, kVectors>(lower, line, 1, i, out, lanes);
}

template <class V, int kStride, int kFrom, int kTo, class Lanes>
void pair_line(const Line& line, const Outlet& out, const Lanes& lanes) {
  typename V::Reg w[9];
#pragma GCC unroll 9
  for (int t = 0; t < 9; ++t) w[t] = V::load(line.weights + t * V::kLanes);
  std::int64_t i = 0;
  constexpr int kVectors = 2;
  for (; i + kVectors <= line.n; i += kVectors) pair_sums<V, kVectors, kStride, kFrom, kTo>(w, line, i, out, lanes);
  for (; i < line.n; ++i) pair_sums<V, 1, kStride, kFrom, kTo>(w, line, i, out, lanes);
}

}  // namespace
}  // namespace tessera
