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

template <class V>
[[gnu::always_inline]] inline void store_columns(float* dst, typename V::Reg value, std::int64_t columns) {
  if (columns >= V::kLanes) {
    V::store(dst, value);
  } else if (columns > 0) {
    V::store_first(dst, value, static_cast<int>(columns));
  }
}

/// The epilogue on a tile that lies in t.scratch, a row every `width` floats.
template <class V>
[[gnu::noinline]] void finish(const GemmTile& t, std::int64_t rows, std::int64_t width) {
  activate_all<V>(t.scratch, rows * width, t.epilogue->act);
  if (t.residual) {
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t j = 0; j < width && j < t.columns; j += V::kLanes) {
        float* at = t.scratch + r * width + j;
        const int n = static_cast<int>(t.columns - j < V::kLanes ? t.columns - j : V::kLanes);
        V::store(at, V::add(V::load(at), V::load_first(t.residual + r * t.residual_stride + j, n)));
      }
    }
    activate_all<V>(t.scratch, rows * width, t.epilogue->post_act);
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t j = 0; j < width; j += V::kLanes) {
      store_columns<V>(t.dst + r * t.dst_stride + j, V::load(t.scratch + r * width + j), t.columns - j);
    }
  }
}

}  // namespace
}  // namespace tessera
