#pragma once
// The epilogue on a block of accumulators in memory (in L1: just stored), over a vector type V
// (kernels/activation/vec_<isa>.h). Everything stands in an unnamed namespace, see gemm_body.h.

#include <cstdint>

#include "kernels/activation/vec_math.h"
#include "kernels/gemm/gemm.h"

namespace tessera {
namespace {

/// buffer[i] = act(buffer[i]); count is a multiple of the lanes. Not inlined: one copy serves all tile shapes.
template <class V>
[[gnu::noinline]] void activate_all(float* buffer, std::int64_t count, const ActivationSpec& act) {
  if (act.kind == Activation::linear) return;
  with_activation(act.kind, [&]<Activation kKind>() {
    const auto alpha = V::set1(act.alpha);
    for (std::int64_t i = 0; i < count; i += V::kLanes) {
      V::store(buffer + i, activate<V, kKind>(V::load(buffer + i), alpha));
    }
  });
}

/// dst = act(scratch + residual): one load and one store per vector, so that a tile costs little more than act itself.
template <class V, Activation kKind, bool kResidual>
[[gnu::noinline]] void finish_rows(const GemmTile& t, std::int64_t rows, std::int64_t width, float slope) {
  const auto alpha = V::set1(slope);
  const int rest = static_cast<int>(t.columns % V::kLanes);
  const std::int64_t whole = t.columns - rest;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* from = t.scratch + r * width;
    const float* residual = t.residual + (kResidual ? r * t.residual_stride : 0);
    float* dst = t.dst + r * t.dst_stride;
    for (std::int64_t j = 0; j < whole; j += V::kLanes) {
      auto value = V::load(from + j);
      if constexpr (kResidual) value = V::add(value, V::load(residual + j));
      V::store(dst + j, activate<V, kKind>(value, alpha));
    }
    if (rest == 0) continue;
    auto value = V::load(from + whole);
    if constexpr (kResidual) value = V::add(value, V::load_first(residual + whole, rest));
    V::store_first(dst + whole, activate<V, kKind>(value, alpha), rest);
  }
}

/// The epilogue on rows of accumulators that lie in t.scratch, one every `width` floats.
template <class V>
[[gnu::noinline]] void finish(const GemmTile& t, std::int64_t rows, std::int64_t width) {
  const GemmEpilogue& e = *t.epilogue;
  if (!t.residual) {
    with_activation(e.act.kind, [&]<Activation kKind>() { finish_rows<V, kKind, false>(t, rows, width, e.act.alpha); });
    return;
  }
  activate_all<V>(t.scratch, rows * width, e.act);
  with_activation(e.post_act.kind,
                  [&]<Activation kKind>() { finish_rows<V, kKind, true>(t, rows, width, e.post_act.alpha); });
}

}  // namespace
}  // namespace tessera
