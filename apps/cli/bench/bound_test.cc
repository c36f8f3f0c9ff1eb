#include "bench/bound.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace tessera::cli {
namespace {

Constant zeros(std::size_t n) { return std::make_shared<const std::vector<float>>(n, 0.0f); }

// A machine of round figures: 100 GFLOP/s; 1 KiB at 200 GB/s, 1 MiB at 50, beyond at 10.
Machine machine() {
  return {Isa::none,
          1,
          100,
          {{"L2", 1 << 10, 512, 200},
           {"L3", 1 << 20, 1 << 19, 50},
           {"memory", std::numeric_limits<std::int64_t>::max(), 1 << 26, 10}}};
}

struct Planned {
  Graph graph;
  MemoryPlan memory;
};
Planned planned(Graph graph, bool zero_copy) {
  EXPECT_TRUE(infer_shapes(graph).has_value());
  auto memory = plan_memory(graph, {.reuse = true, .zero_copy = zero_copy});
  EXPECT_TRUE(memory.has_value());
  return {std::move(graph), *std::move(memory)};
}
Work work_of_last(const Planned& p, std::string_view impl) {
  return work_of(p.graph, p.memory, p.graph.nodes.back(), impl);
}

// 3x3, 8 channels to 16, 10x12 pixels, with bias.
Planned convolution() {
  Graph graph;
  const ValueId in = graph.add_input("in", {1, 10, 12, 8});
  ConvAttrs conv{.oc = 16, .kh = 3, .kw = 3, .pad = {1, 1, 1, 1}, .weights = zeros(16 * 8 * 9), .bias = zeros(16)};
  graph.outputs = {graph.add("conv", conv, {in})};
  return planned(std::move(graph), true);
}

// What two operators write, 5 channels and 4x4 pixels each, side by side for a third; with `twice` one of them two
// times.
Work work_of_concat(bool zero_copy, bool twice) {
  Graph graph;
  const ValueId in = graph.add_input("in", {1, 4, 4, 5});
  const ActivationAttrs relu{{Activation::relu}};
  const ValueId a = graph.add("a", relu, {in}), b = graph.add("b", relu, {in});
  const ValueId joined = graph.add("joined", ConcatAttrs{}, twice ? std::vector{a, a} : std::vector{a, b});
  graph.outputs = {graph.add("out", relu, {joined})};
  const Planned p = planned(std::move(graph), zero_copy);
  return work_of(p.graph, p.memory, p.graph.nodes[3], "");
}

TEST(Work, OfAConvolution) {
  const Work work = work_of_last(convolution(), "conv_gemm_avx2");
  EXPECT_EQ(work.flops, 2.0 * 10 * 12 * 16 * 8 * 9);
  EXPECT_EQ(work.bytes, 4.0 * (10 * 12 * 8 + 10 * 12 * 16 + 16 * 8 * 9 + 16));
}

TEST(Work, WinogradMakesFewerProducts) {
  const Work direct = work_of_last(convolution(), "conv_gemm_avx2");
  for (const auto& [impl, products] :
       {std::pair{"conv_winograd_avx2", 36}, {"conv_winograd_f2_avx512", 64}, {"conv_winograd_stride2_scalar", 81}}) {
    const Work work = work_of_last(convolution(), impl);
    EXPECT_DOUBLE_EQ(work.flops, direct.flops * products / 144) << impl;
    EXPECT_EQ(work.bytes, direct.bytes) << impl;
  }
}

TEST(Work, ConcatCopiesWhatIsNotInPlace) {
  EXPECT_EQ(work_of_concat(true, false).bytes, 0);
  EXPECT_EQ(work_of_concat(false, false).bytes, 4.0 * 2 * 2 * 80);
  EXPECT_EQ(work_of_concat(true, true).bytes, 4.0 * 2 * 80);  // one value cannot be in two places
}

TEST(Work, OtherOperatorsOnlyMove) {
  Graph graph;
  const ValueId a = graph.add_input("a", {1, 4, 4, 5}), b = graph.add_input("b", {1, 4, 4, 5});
  graph.outputs = {graph.add("sum", AddAttrs{}, {a, b})};
  const Work work = work_of_last(planned(std::move(graph), true), "add_avx2");
  EXPECT_EQ(work.flops, 0);
  EXPECT_EQ(work.bytes, 4.0 * 3 * 80);
}

TEST(Work, ABytesInputMovesAByteForEach) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 4, 4, 5}, DType::UInt8);
  const std::vector<float> ones(5, 1.0f);
  graph.outputs = {graph.add("y", FromBytesAttrs{ones, ones}, {x})};
  const Work work = work_of_last(planned(std::move(graph), true), "from_bytes_avx2");
  EXPECT_EQ(work.bytes, 80 + 4.0 * (80 + 10));
}

TEST(Bound, IsTheLongerOfTheTwo) {
  // 1e6 operations at 100 GFLOP/s are 0.01 ms; 1000 bytes at 200 GB/s 0.000005, 100 kB at 50 GB/s 0.002.
  const Bound compute = bound_of({.flops = 1e6, .bytes = 1000}, machine());
  EXPECT_DOUBLE_EQ(compute.compute_ms, 0.01);
  EXPECT_DOUBLE_EQ(compute.memory_ms, 5e-6);
  EXPECT_DOUBLE_EQ(compute.ms(), 0.01);
  EXPECT_EQ(compute.limit(), "compute");
  const Bound memory = bound_of({.flops = 1e5, .bytes = 1e5}, machine());
  EXPECT_DOUBLE_EQ(memory.ms(), 0.002);
  EXPECT_EQ(memory.limit(), "L3");
}

TEST(Bound, TakesTheSmallestLevelThatHoldsTheBytes) {
  EXPECT_EQ(level_for(machine(), 0).name, "L2");
  EXPECT_EQ(level_for(machine(), 1024).name, "L2");
  EXPECT_EQ(level_for(machine(), 1025).name, "L3");
  EXPECT_EQ(level_for(machine(), 1e12).name, "memory");
  EXPECT_DOUBLE_EQ(bound_of({.flops = 0, .bytes = 1e9}, machine()).ms(), 100);
}

// No figure is judged; but they must be figures.
TEST(Machine, IsMeasured) {
  for (int threads : {1, 2}) {
    const auto measured = measure_machine(CpuInfo::detect(), threads);
    ASSERT_TRUE(measured.has_value()) << measured.error().message;
    EXPECT_EQ(measured->threads, threads);
    EXPECT_GT(measured->peak_gflops, 0);
    ASSERT_GE(measured->levels.size(), 2u);
    EXPECT_EQ(measured->levels.front().name, "L2");
    EXPECT_EQ(measured->levels.back().name, "memory");
    for (const MemoryLevel& level : measured->levels) {
      EXPECT_GT(level.gb_per_s, 0) << level.name;
      EXPECT_LE(level.measured_bytes, level.capacity_bytes) << level.name;
    }
  }
}

}  // namespace
}  // namespace tessera::cli
