#pragma once
// Where the sums of a depthwise line go, over a vector type V (kernels/activation/vec_<isa>.h). Everything stands in an
// unnamed namespace, see gemm_body.h.

#include "kernels/gemm/tile_finish.h"

namespace tessera {
namespace {

/// What becomes of sums. linear, relu and relu6 (a clamp) and leaky are done in registers, the others through scratch.
struct Outlet {
  enum How { clamp, leaky, scratch } how = scratch;
  float low = -__builtin_inff(), high = __builtin_inff(), slope = 0;
  const GemmEpilogue* epilogue = nullptr;
};
inline Outlet outlet_of(const GemmEpilogue& epilogue, bool residual) {
  Outlet out{.slope = epilogue.act.alpha, .epilogue = &epilogue};
  if (residual) return out;
  const Activation kind = epilogue.act.kind;
  if (kind == Activation::leaky) out.how = Outlet::leaky;
  if (kind == Activation::linear || kind == Activation::relu || kind == Activation::relu6) out.how = Outlet::clamp;
  if (kind == Activation::relu || kind == Activation::relu6) out.low = 0.0f;
  if (kind == Activation::relu6) out.high = 6.0f;
  return out;
}

/// Vectors `step` floats apart, in rows `row` floats apart.
struct Place {
  float* dst = nullptr;
  std::int64_t step = 0, row = 0;
  const float* residual = nullptr;
  std::int64_t residual_step = 0, residual_row = 0;
  float* scratch = nullptr;  ///< [rows][n][lanes]
};

/// An outlet with its constants in registers.
template <class V>
struct Sink {
  typename V::Reg low, high, slope;
  Outlet::How how;

  explicit Sink(const Outlet& out)
      : low(V::set1(out.low)), high(V::set1(out.high)), slope(V::set1(out.slope)), how(out.how) {}

  /// Vectors i .. i + kVectors of the n of a row.
  template <int kVectors, class Lanes>
  [[gnu::always_inline]] void put(const typename V::Reg (&acc)[kVectors], const Place& place, std::int64_t row,
                                  std::int64_t n, std::int64_t i, const Lanes& lanes) const {
    float* dst = place.dst + row * place.row + i * place.step;
    if (how == Outlet::leaky) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v)
        lanes.store(dst + v * place.step, activate<V, Activation::leaky>(acc[v], slope));
    } else if (how == Outlet::clamp) {  // NaN passes, as the constants stand first
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) lanes.store(dst + v * place.step, V::min(high, V::max(low, acc[v])));
    } else {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) V::store(place.scratch + (row * n + i + v) * V::kLanes, acc[v]);
    }
  }
};

/// The epilogue of a line's rows of n vectors whose sums lie in scratch.
template <class V>
void finish_line(const Place& place, std::int64_t rows, std::int64_t n, std::int64_t channels, const Outlet& out) {
  if (out.how != Outlet::scratch) return;
  for (std::int64_t row = 0; row < rows; ++row) {
    finish<V>({.dst = place.dst + row * place.row,
               .dst_stride = place.step,
               .columns = channels,
               .residual = place.residual ? place.residual + row * place.residual_row : nullptr,
               .residual_stride = place.residual_step,
               .epilogue = out.epilogue,
               .scratch = place.scratch + row * n * V::kLanes},
              n, V::kLanes);
  }
}

}  // namespace
}  // namespace tessera
