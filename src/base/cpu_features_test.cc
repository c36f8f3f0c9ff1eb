#include "base/cpu_features.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace tessera {
namespace {

TEST(CpuFeatures, NamesRoundTrip) {
  for (Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::avx512_vnni, Isa::avx512_bf16, Isa::neon}) {
    EXPECT_EQ(parse_isa(to_string(isa)), isa);
  }
  EXPECT_EQ(parse_isa("sse9"), std::nullopt);
  EXPECT_EQ(parse_isa(""), std::nullopt);
}

TEST(CpuFeatures, PlainCodeIsAlwaysSupported) { EXPECT_TRUE(CpuInfo::detect().supports(Isa::none)); }

TEST(CpuFeatures, CapRemovesHigherLevelsAndAddsNone) {
  const CpuInfo cpu = CpuInfo::detect();
  const CpuInfo capped = cpu.limited_to(Isa::avx2);
  EXPECT_FALSE(capped.supports(Isa::avx512));
  EXPECT_FALSE(capped.supports(Isa::neon));
  EXPECT_EQ(capped.supports(Isa::avx2), cpu.supports(Isa::avx2));
  EXPECT_EQ(cpu.limited_to(Isa::none).best(), Isa::none);
  EXPECT_EQ(cpu.limited_to(cpu.best()).best(), cpu.best());
}

TEST(CpuFeatures, HigherLevelImpliesLower) {
  const CpuInfo cpu = CpuInfo::detect();
  EXPECT_TRUE(!cpu.supports(Isa::avx512) || cpu.supports(Isa::avx2));
  EXPECT_TRUE(!cpu.supports(Isa::avx512_bf16) || cpu.supports(Isa::avx512_vnni));
}

TEST(AllowedCpus, FollowsTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(allowed_cpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_GE(allowed_cpus(), 1);
  EXPECT_LE(allowed_cpus(), CPU_COUNT(&before));
}

}  // namespace
}  // namespace tessera
