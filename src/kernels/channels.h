#pragma once
// The loop over a pixel's channels that kernels share: four registers at a time, then one, then the lanes left over.

#include <cstdint>

namespace tessera {
namespace {

/// Whole registers.
template <class V>
struct WholeLanes {
  auto load(const float* p) const { return V::load(p); }
  void store(float* p, typename V::Reg v) const { V::store(p, v); }
};
/// The first n lanes: the end of a pixel, behind which other values begin.
template <class V>
struct FirstLanes {
  int n;
  auto load(const float* p) const { return V::load_first(p, n); }
  void store(float* p, typename V::Reg v) const { V::store_first(p, v, n); }
};

/// Calls block.operator()<registers>(first channel, lanes) until all c channels are covered.
template <class V, class Block>
[[gnu::always_inline]] inline void over_channels(std::int64_t c, const Block& block) {
  constexpr std::int64_t kLanes = V::kLanes;
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= c; i += 4 * kLanes) block.template operator()<4>(i, WholeLanes<V>{});
  for (; i + kLanes <= c; i += kLanes) block.template operator()<1>(i, WholeLanes<V>{});
  if (i < c) block.template operator()<1>(i, FirstLanes<V>{static_cast<int>(c - i)});
}

}  // namespace
}  // namespace tessera
