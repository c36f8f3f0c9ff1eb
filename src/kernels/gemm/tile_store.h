#pragma once
// The epilogues that a tile's accumulators take without leaving the registers, over a vector type V
// (kernels/activation/vec_<isa>.h). Everything stands in an unnamed namespace, see gemm_body.h.

#include <cstdint>

#include "kernels/activation/vec_math.h"
#include "kernels/channels.h"
#include "kernels/gemm/gemm.h"

namespace tessera {
namespace {

/// Calls use(r, v, lanes) for every vector of a tile; the last of a row may be cut.
template <class V, int kRows, int kVectors, class Use>
[[gnu::always_inline]] inline void over_tile(std::int64_t columns, const Use& use) {
  const int last = static_cast<int>(columns) - (kVectors - 1) * V::kLanes;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors - 1; ++v) use(r, v, WholeLanes<V>{});
    if (last == V::kLanes) {
      use(r, kVectors - 1, WholeLanes<V>{});
    } else {
      use(r, kVectors - 1, FirstLanes<V>{last});
    }
  }
}

template <class V, int kRows, int kVectors>
[[gnu::always_inline]] inline void add_residual(typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t) {
  const float* residual = t.residual;
  const std::int64_t stride = t.residual_stride;
  over_tile<V, kRows, kVectors>(
      t.columns, [&](int r, int v, const auto& lanes) __attribute__((always_inline)) {
        acc[r][v] = V::add(acc[r][v], lanes.load(residual + r * stride + v * V::kLanes));
      });
}

template <class V, Activation kKind, int kRows, int kVectors>
[[gnu::always_inline]] inline void store_tile(const typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t,
                                              float slope) {
  const auto alpha = V::set1(slope);
  float* dst = t.dst;
  const std::int64_t stride = t.dst_stride;
  over_tile<V, kRows, kVectors>(
      t.columns, [&](int r, int v, const auto& lanes) __attribute__((always_inline)) {
        lanes.store(dst + r * stride + v * V::kLanes, activate<V, kKind>(acc[r][v], alpha));
      });
}

constexpr bool stays_in_registers(Activation kind) {
  return kind == Activation::linear || kind == Activation::relu || kind == Activation::leaky;
}

/// False: the epilogue has to go through memory (tile_finish.h).
template <class V, int kRows, int kVectors>
[[gnu::always_inline]] inline bool finished_in_registers(typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t) {
  ActivationSpec last = t.epilogue->act;
  if (t.residual) {
    if (last.kind != Activation::linear || !stays_in_registers(t.epilogue->post_act.kind)) return false;
    last = t.epilogue->post_act;
    add_residual<V>(acc, t);
  }
  if (last.kind == Activation::linear) {
    store_tile<V, Activation::linear>(acc, t, last.alpha);
  } else if (last.kind == Activation::relu) {
    store_tile<V, Activation::relu>(acc, t, last.alpha);
  } else if (last.kind == Activation::leaky) {
    store_tile<V, Activation::leaky>(acc, t, last.alpha);
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace tessera
