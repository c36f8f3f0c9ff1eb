#include "bench/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/ladder_report.h"

namespace tessera::cli {
namespace {

Constant values(std::size_t n, float value) { return std::make_shared<const std::vector<float>>(n, value); }

ConvAttrs conv(int ic, int oc, int k, int groups = 1) {
  const int pad = k / 2;
  const auto weights = static_cast<std::size_t>(oc * ic / groups * k * k);
  return {.oc = oc, .kh = k, .kw = k, .groups = groups, .pad = {pad, pad, pad, pad}, .weights = values(weights, 0.01f)};
}

// A 1x1 convolution with an activation to fuse, a depthwise one, and nothing else to gain.
Graph small_graph() {
  Graph graph;
  const ValueId in = graph.add_input("in", {1, 8, 8, 4});
  const ValueId first = graph.add("first", conv(4, 8, 1), {in});
  const ValueId act = graph.add("act", ActivationAttrs{{Activation::mish}}, {first});
  graph.outputs = {graph.add("second", conv(8, 8, 3, 8), {act})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

Ladder ladder(const PrepareOptions& options) {
  auto out = plan_ladder(small_graph(), options);
  EXPECT_TRUE(out.has_value()) << out.error().message;
  return out ? *std::move(out) : Ladder{};
}

std::vector<std::string> names(const std::vector<Rung>& rungs) {
  std::vector<std::string> out;
  for (const Rung& rung : rungs) out.push_back(rung.name);
  return out;
}

using Names = std::vector<std::string>;

TEST(Ladder, HasARungForEachSwitchThatChangesThisGraph) {
  const Ladder rungs = ladder({.isa = Isa::none, .threads = 2});
  EXPECT_EQ(names(rungs.climb), (Names{"naive, 1 thread", "naive, 2 threads", "plain C++ kernels", "depthwise",
                                       "strips", "fuse-activation", "reuse", "zero-copy"}));
  EXPECT_EQ(names(rungs.alone),
            (Names{"everything on", "threads", "depthwise", "strips", "fuse-activation", "reuse", "zero-copy"}));
}

TEST(Ladder, LeavesOutWhatTheCallerSwitchedOff) {
  const Ladder rungs = ladder({.isa = Isa::none, .threads = 1, .disabled = {"reuse", "fuse-activation"}});
  EXPECT_EQ(names(rungs.climb), (Names{"naive, 1 thread", "plain C++ kernels", "depthwise", "strips", "zero-copy"}));
  for (const Rung& rung : rungs.climb) {
    EXPECT_EQ(std::ranges::count(rung.options.disabled, "reuse"), 1) << rung.name;
  }
}

TEST(Ladder, EndsWithEverythingOn) {
  const Ladder rungs = ladder({.isa = Isa::none, .threads = 2});
  const PrepareOptions& last = rungs.climb.back().options;
  EXPECT_TRUE(last.disabled.empty());
  EXPECT_TRUE(last.forced_kernels.empty());
  EXPECT_EQ(last.threads, 2);
  EXPECT_EQ(rungs.alone[1].options.threads, 1);
  // Each rung has one thing more than the one before.
  for (std::size_t i = 3; i < rungs.climb.size(); ++i) {
    EXPECT_LT(rungs.climb[i].options.disabled.size(), rungs.climb[i - 1].options.disabled.size());
  }
}

TEST(Ladder, HasARungForEachVectorLevelOfTheProcessor) {
  const auto climb = names(ladder({.threads = 1}).climb);
  const auto device = find_device("cpu");
  ASSERT_TRUE(device.has_value());
  for (const NodeImplInfo& impl : (*device)->impls(ConvAttrs{})) {
    if (impl.isa == Isa::none) continue;
    const bool there = std::ranges::find(climb, to_string(impl.isa)) != climb.end();
    EXPECT_EQ(there, CpuInfo::detect().supports(impl.isa)) << impl.name;
  }
}

TEST(LadderRun, EveryRungComputesTheSame) {
  Io io({.quiet = true, .verbose = false});
  const auto times = run_ladder(small_graph(), ladder({.threads = 2}), 3, io);
  ASSERT_TRUE(times.has_value()) << times.error().message;
  EXPECT_TRUE(all_agree(*times));
  for (const RungTimes& rung : times->climb) EXPECT_TRUE(rung.once || rung.times_ms.size() == 3u) << rung.rung.name;
}

TEST(LadderRun, ARungThatDiffersIsFoundAndMarked) {
  Ladder rungs = ladder({.threads = 1});
  rungs.alone.back().options.replaced = {{"mish", "relu"}};  // another network
  Io io({.quiet = true, .verbose = false});
  const auto times = run_ladder(small_graph(), std::move(rungs), 1, io);
  ASSERT_TRUE(times.has_value()) << times.error().message;
  EXPECT_FALSE(all_agree(*times));
  EXPECT_FALSE(times->alone.back().agrees());
  EXPECT_TRUE(times->alone.front().agrees());
  EXPECT_NE(ladder_text(*times).find("DIFFERS"), std::string::npos);
  EXPECT_TRUE(ladder_plot(*times).groups[1].bars.back().marked);
}

}  // namespace
}  // namespace tessera::cli
