#pragma once
// The epilogues that a tile's accumulators take without leaving the registers, over a vector type V
// (kernels/activation/vec_<isa>.h). Everything stands in an unnamed namespace, see gemm_body.h.

#include <cstdint>

#include "kernels/activation/vec_math.h"
#include "kernels/gemm/gemm.h"

namespace tessera {
namespace {

/// Where the vectors of a tile's rows lie; the last of a row may be cut.
template <class V, int kVectors>
struct RowLanes {
  int last;
  explicit RowLanes(std::int64_t columns) : last(static_cast<int>(columns) - (kVectors - 1) * V::kLanes) {}

  [[gnu::always_inline]] auto load(const float* src, std::int64_t stride, int r, int v) const {
    const float* from = src + r * stride + v * V::kLanes;
    return v < kVectors - 1 || last == V::kLanes ? V::load(from) : V::load_first(from, last);
  }
  [[gnu::always_inline]] void store(float* dst, std::int64_t stride, int r, int v, typename V::Reg value) const {
    float* to = dst + r * stride + v * V::kLanes;
    v < kVectors - 1 || last == V::kLanes ? V::store(to, value) : V::store_first(to, value, last);
  }
};

template <class V, class Lanes, int kRows, int kVectors>
[[gnu::always_inline]] inline void add_residual(typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t,
                                                const Lanes& lanes) {
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      acc[r][v] = V::add(acc[r][v], lanes.load(t.residual, t.residual_stride, r, v));
    }
  }
}

template <class V, Activation kKind, class Lanes, int kRows, int kVectors>
[[gnu::always_inline]] inline void store_tile(const typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t,
                                              const Lanes& lanes, float slope) {
  const auto alpha = V::set1(slope);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      lanes.store(t.dst, t.dst_stride, r, v, activate<V, kKind>(acc[r][v], alpha));
    }
  }
}

constexpr bool stays_in_registers(Activation kind) {
  return kind == Activation::linear || kind == Activation::relu || kind == Activation::leaky;
}

/// False: the epilogue has to go through memory (tile_finish.h).
template <class V, class Lanes, int kRows, int kVectors>
[[gnu::always_inline]] inline bool finished_in_registers(typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t,
                                                         const Lanes& lanes) {
  ActivationSpec last = t.epilogue->act;
  if (t.residual) {
    if (last.kind != Activation::linear || !stays_in_registers(t.epilogue->post_act.kind)) return false;
    last = t.epilogue->post_act;
    add_residual<V>(acc, t, lanes);
  }
  if (last.kind == Activation::linear) {
    store_tile<V, Activation::linear>(acc, t, lanes, last.alpha);
  } else if (last.kind == Activation::relu) {
    store_tile<V, Activation::relu>(acc, t, lanes, last.alpha);
  } else if (last.kind == Activation::leaky) {
    store_tile<V, Activation::leaky>(acc, t, lanes, last.alpha);
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace tessera
