#include "plan/chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/random_graph.h"
#include "plan/memory_plan.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// 48 x 32 pixels of 16 channels are 96 KiB: worth a chain up to an L2 of 256.
constexpr std::int64_t kHeight = 48, kWidth = 32, kL2 = 256 << 10;

ConvAttrs conv(int oc, int ic, int side, int groups = 1) {
  ConvAttrs attrs{.oc = oc, .kh = side, .kw = side, .groups = groups};
  attrs.pad = {side / 2, side / 2, side / 2, side / 2};
  attrs.weights = constant(std::vector<float>(static_cast<std::size_t>(oc * ic / groups * side * side), 1.0f));
  return attrs;
}
ConvAttrs pointwise(int oc = 16, int ic = 16) { return conv(oc, ic, 1); }
ConvAttrs depthwise(int c = 16) { return conv(c, c, 3, c); }

struct Net {
  Graph graph;
  ValueId x = graph.add_input("x", {1, kHeight, kWidth, 16});

  std::vector<Chain> chains(std::vector<ValueId> outputs, std::int64_t l2_bytes = kL2) {
    graph.outputs = std::move(outputs);
    EXPECT_TRUE(infer_shapes(graph).has_value());
    const auto plan = plan_memory(graph, {.l2_bytes = l2_bytes});
    EXPECT_TRUE(plan.has_value());
    const auto verified = verify_memory(graph, *plan);
    EXPECT_TRUE(verified.has_value()) << verified.error().message;
    return plan->chains;
  }
};

// Node 0 is the input.
TEST(Chains, ExpandDepthwiseProjectIsOne) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(), {net.x});
  const ValueId b = net.graph.add("b", depthwise(), {a});
  ConvAttrs project = pointwise();
  project.epilogue.residual = true;
  const ValueId c = net.graph.add("c", project, {b, net.x});
  EXPECT_THAT(net.chains({c}), ElementsAre(Chain{{1, 2, 3}}));
}

TEST(Chains, OnlyWhereLittleWouldStayInL2) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(), {net.x});
  const ValueId b = net.graph.add("b", depthwise(), {a});
  EXPECT_THAT(net.chains({b}, kL2), ElementsAre(Chain{{1, 2}}));
  EXPECT_THAT(net.chains({b}, kL2 + 8), IsEmpty());
  EXPECT_THAT(net.chains({b}, 0), IsEmpty());
}

TEST(Chains, EndWhereAValueIsReadTwice) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(), {net.x});
  const ValueId b = net.graph.add("b", depthwise(), {a});
  const ValueId c = net.graph.add("c", pointwise(), {b});
  ConvAttrs add_b = pointwise();
  add_b.epilogue.residual = true;
  const ValueId d = net.graph.add("d", add_b, {c, b});
  EXPECT_THAT(net.chains({d}), ElementsAre(Chain{{1, 2}}, Chain{{3, 4}}));
}

TEST(Chains, EndAtOutputsAndConcats) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(), {net.x});
  const ValueId b = net.graph.add("b", depthwise(), {a});
  const ValueId c = net.graph.add("c", pointwise(), {b});
  const ValueId both = net.graph.add("both", ConcatAttrs{}, {c, net.x});
  EXPECT_THAT(net.chains({b, both}), ElementsAre(Chain{{1, 2}}));
}

TEST(Chains, LeaveWideKernelsToWinogradButTakeFirstLayers) {
  Net net;
  const ValueId a = net.graph.add("a", conv(16, 16, 3), {net.x});
  const ValueId b = net.graph.add("b", pointwise(), {a});
  EXPECT_THAT(net.chains({b}), IsEmpty());
  Net first;
  const ValueId image = first.graph.add_input("image", {1, kHeight, kWidth, 3});
  const ValueId c = first.graph.add("c", conv(16, 3, 3), {image});
  const ValueId d = first.graph.add("d", pointwise(), {c});
  EXPECT_THAT(first.chains({d}), ElementsAre(Chain{{2, 3}}));
}

TEST(Chains, BeginWithTheBytesOfAPicture) {
  Graph graph;
  const ValueId image = graph.add_input("image", {1, 96, 96, 3}, DType::UInt8);  // as f32 they are 108 KiB
  const ValueId x = graph.add("x", FromBytesAttrs{{1, 1, 1}, {0, 0, 0}}, {image});
  graph.outputs = {graph.add("a", conv(16, 3, 3), {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  const MemoryPlan plan = *plan_memory(graph, {.l2_bytes = kL2});
  EXPECT_THAT(plan.chains, ElementsAre(Chain{{1, 2}}));
  EXPECT_EQ(plan.aside_bytes, 96 * 96 * 3 * 4) << "the picture's numbers need no memory in a run";
  EXPECT_TRUE(verify_memory(graph, plan).has_value());
  EXPECT_THAT(plan_memory(graph, {.l2_bytes = 2 * kL2})->chains, IsEmpty());
}

TEST(Chains, KeepTheirWeightsInL2AndTheirLengthInBounds) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(128, 16), {net.x});
  const ValueId b = net.graph.add("b", pointwise(128, 128), {a});  // 64 KiB of weights
  EXPECT_THAT(net.chains({b}), IsEmpty());
  Net longer;
  ValueId x = longer.x;
  for (int i = 0; i < 14; ++i) x = longer.graph.add("n" + std::to_string(i), pointwise(), {x});
  const auto found = longer.chains({x});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].nodes.size(), Chain::kMostNodes);
  EXPECT_EQ(found[1].nodes.size(), 2u);
}

// x's buffer would do for b, which is written while a still reads x.
TEST(Chains, WhatTheyReadOutlivesThem) {
  Net net;
  const ValueId first = net.graph.add("first", ActivationAttrs{{Activation::relu}}, {net.x});
  const ValueId a = net.graph.add("a", pointwise(), {first});
  const ValueId b = net.graph.add("b", depthwise(), {a});
  net.graph.outputs = {b};
  ASSERT_TRUE(infer_shapes(net.graph).has_value());
  MemoryPlan plan = *plan_memory(net.graph, {.l2_bytes = kL2});
  const auto buffer = [&](ValueId id) -> Buffer& {
    return plan.buffers[static_cast<std::size_t>(plan.placements[static_cast<std::size_t>(id)].buffer)];
  };
  EXPECT_EQ(buffer(first).last, 3);
  EXPECT_NE(buffer(first).offset, buffer(b).offset);
  buffer(b).offset = buffer(first).offset;
  const auto refused = verify_memory(net.graph, plan);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("a later row of node 'a' reads 'first', but "));
  plan.chains.clear();
  plan.arena_bytes += plan.aside_bytes;
  EXPECT_TRUE(verify_memory(net.graph, plan).has_value()) << "one after the other they may share";
}

TEST(Chains, WhatTheyHandOnLiesBehindTheArena) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(64, 16), {net.x});
  const ValueId b = net.graph.add("b", depthwise(64), {a});
  const ValueId c = net.graph.add("c", pointwise(16, 64), {b});
  net.graph.outputs = {c};
  ASSERT_TRUE(infer_shapes(net.graph).has_value());
  MemoryPlan plan = *plan_memory(net.graph, {.l2_bytes = kL2});
  const auto buffer = [&](ValueId id) -> Buffer& {
    return plan.buffers[static_cast<std::size_t>(plan.placements[static_cast<std::size_t>(id)].buffer)];
  };
  EXPECT_EQ(plan.arena_bytes, buffer(net.x).bytes + buffer(c).bytes);
  EXPECT_EQ(plan.aside_bytes, buffer(a).bytes + buffer(b).bytes);
  EXPECT_EQ(plan.lower_bound_bytes, plan.arena_bytes);
  EXPECT_GE(buffer(a).offset, plan.arena_bytes);
  EXPECT_GE(buffer(b).offset, plan.arena_bytes);
  EXPECT_TRUE(verify_memory(net.graph, plan).has_value());
  const std::int64_t there = buffer(c).offset;
  buffer(c).offset = buffer(a).offset;
  EXPECT_THAT(verify_memory(net.graph, plan).error().message, HasSubstr("lies behind the arena, where only chains"));
  buffer(c).offset = there;
  buffer(a).offset = plan.arena_bytes - 64;
  EXPECT_THAT(verify_memory(net.graph, plan).error().message, HasSubstr("lies partly behind the arena"));
}

TEST(Chains, TheVerifierRefusesWhatIsNone) {
  Net net;
  const ValueId a = net.graph.add("a", pointwise(), {net.x});
  const ValueId b = net.graph.add("b", pointwise(), {net.x});
  const ValueId c = net.graph.add("c", pointwise(), {a});
  net.graph.outputs = {b, c};
  ASSERT_TRUE(infer_shapes(net.graph).has_value());
  MemoryPlan plan = *plan_memory(net.graph, {.l2_bytes = kL2});
  const auto refusal = [&](std::vector<std::int32_t> nodes) {
    plan.chains = {{std::move(nodes)}};
    const auto status = verify_memory(net.graph, plan);
    return status.has_value() ? "" : status.error().message;
  };
  EXPECT_THAT(refusal({1, 2}), HasSubstr("'a' does not hand its output to 'b' alone"));
  EXPECT_THAT(refusal({1, 3}), HasSubstr("a chain that 'b' stands amidst"));
  EXPECT_THAT(refusal({2, 1}), HasSubstr("a chain with node 1 behind node 2"));
  EXPECT_THAT(refusal({2, 9}), HasSubstr("a chain with node 9 behind node 2"));
  EXPECT_THAT(refusal({}), HasSubstr("a chain without nodes"));
  plan.chains = {{{1, 3}}, {{2, 3}}};
  EXPECT_FALSE(verify_memory(net.graph, plan).has_value());
}

}  // namespace
}  // namespace tessera
