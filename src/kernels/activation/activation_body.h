#pragma once
// The loop all ISAs share; V is a vector of vec_<isa>.h.

#include "kernels/activation/activation.h"
#include "kernels/activation/vec_math.h"

namespace tessera {
namespace {

template <class V, Activation kind>
void activate_run(const float* src, float* dst, std::size_t n, float alpha) {
  constexpr std::size_t kLanes = V::kLanes;
  const auto slope = V::set1(alpha);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) V::store(dst + i, activate<V, kind>(V::load(src + i), slope));
  const int rest = static_cast<int>(n - i);
  if (rest > 0) V::store_first(dst + i, activate<V, kind>(V::load_first(src + i, rest), slope), rest);
}

template <class V>
void activate_any(const float* src, float* dst, std::size_t n, ActivationSpec act) {
  with_activation(act.kind, [&]<Activation kind>() { activate_run<V, kind>(src, dst, n, act.alpha); });
}

}  // namespace
}  // namespace tessera
