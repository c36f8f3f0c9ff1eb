#include "kernels/gemm/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tessera {
namespace {

/// Where [o][i][t] stands among the packed weights, from the layout in gemm.h.
std::int64_t place(std::int64_t o, std::int64_t i, std::int64_t t, std::int64_t oc, std::int64_t ic, std::int64_t taps,
                   const MicroKernel& kernel) {
  const std::int64_t first = o / kernel.panel_width() * kernel.panel_width();
  const std::int64_t width = packed_floats(std::min(kernel.panel_width(), oc - first), 1, kernel);
  return first * ic * taps + (t * ic + i) * width + o - first;
}

TEST(PackPanels, EveryWeightIsAtItsPlaceAndTheRestIsZero) {
  for (const auto& variant : gemm_variants()) {  // packing itself is plain C++
    for (const std::int64_t oc : {1, 3, 4, 16, 31, 33, 85}) {
      for (const std::int64_t ic : {1, 3, 8, 31, 32, 33, 70}) {
        for (const std::int64_t taps : {1, 2, 9}) {
          const auto count = static_cast<std::size_t>(oc * ic * taps);
          std::vector<float> weights(count), want(static_cast<std::size_t>(packed_floats(oc, ic * taps, *variant.run)));
          for (std::size_t n = 0; n < count; ++n) {
            weights[n] = static_cast<float>(n + 1);
            const auto index = static_cast<std::int64_t>(n);
            const std::int64_t o = index / (ic * taps), i = index / taps % ic, t = index % taps;
            want[static_cast<std::size_t>(place(o, i, t, oc, ic, taps, *variant.run))] = weights[n];
          }
          std::vector<float> packed(want.size(), -1);
          pack_panels(weights.data(), oc, ic, taps, *variant.run, packed.data());
          EXPECT_EQ(packed, want) << variant.name << ": " << oc << " x " << ic << " x " << taps;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera
