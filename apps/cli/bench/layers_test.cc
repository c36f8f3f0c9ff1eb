#include "bench/layers.h"

#include <gtest/gtest.h>

namespace tessera::cli {
namespace {

Layer layer(std::string kernel, double ms, double bound_ms) {
  Layer out{.node = "n", .op = "conv", .kernel = std::move(kernel), .macs = 1000, .median_ms = ms};
  out.bound.compute_ms = bound_ms;
  return out;
}

TEST(ShortReason, IsThatOfTheLastThatMightHaveServed) {
  Layer l = layer("conv_gemm_avx2", 1, 1);
  EXPECT_EQ(short_reason(l), "");
  l.skipped = {"conv_gemm_avx512: needs avx512", "conv_winograd_avx2: small image"};
  EXPECT_EQ(short_reason(l), "no winograd_avx2: small image");
  l.skipped.push_back("conv_winograd_stride2_avx2: only 3x3 stride 2");
  EXPECT_EQ(short_reason(l), "no winograd_avx2: small image");
  l.skipped = {"conv_depthwise_avx2: only depthwise (groups = input channels)"};
  EXPECT_EQ(short_reason(l), "no depthwise_avx2: only depthwise");
}

TEST(LayerSums, AreOfOneKernelEachSlowestFirst) {
  const auto sums = sums_by_kernel({layer("a", 1, 0.5), layer("b", 5, 2), layer("a", 2, 1)});
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].first, "b");
  EXPECT_EQ(sums[1].first, "a");
  EXPECT_EQ(sums[1].second.nodes, 2);
  EXPECT_DOUBLE_EQ(sums[1].second.ms, 3);
  EXPECT_DOUBLE_EQ(sums[1].second.bound_ms, 1.5);
  EXPECT_EQ(sums[1].second.macs, 2000);
}

}  // namespace
}  // namespace tessera::cli
