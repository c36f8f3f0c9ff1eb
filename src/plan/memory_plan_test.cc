#include "plan/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/text.h"
#include "graph/random_graph.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::HasSubstr;
using testing::RandomGraph;

const ActivationAttrs kRelu{{Activation::relu}};

MemoryPlan plan(Graph& graph, MemoryOptions options = {}) {
  const auto status = infer_shapes(graph);
  EXPECT_TRUE(status.has_value()) << status.error().message;
  auto out = plan_memory(graph, options);
  EXPECT_TRUE(out.has_value());
  const auto verified = verify_memory(graph, *out);
  EXPECT_TRUE(verified.has_value()) << verified.error().message;
  return *out;
}
const Placement& at(const MemoryPlan& plan, ValueId id) { return plan.placements[static_cast<std::size_t>(id)]; }
const Buffer& buffer(const MemoryPlan& plan, ValueId id) {
  return plan.buffers[static_cast<std::size_t>(at(plan, id).buffer)];
}

// x -> a -> b -> c -> d, each 64 bytes. Reusing x's bytes for a would hand the first node its own input as output.
TEST(MemoryPlan, AChainNeedsTwoBuffers) {
  Graph graph;
  ValueId x = graph.add_input("x", {1, 1, 1, 16});
  for (const char* name : {"a", "b", "c", "d"}) x = graph.add(name, kRelu, {x});
  graph.outputs = {x};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(p.arena_bytes, 2 * 64);
  EXPECT_EQ(p.lower_bound_bytes, 2 * 64);
  EXPECT_EQ(p.no_reuse_bytes, 5 * 64);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NE(p.buffers[i].offset, p.buffers[i - 1].offset);
  EXPECT_EQ(plan(graph, {.reuse = false}).arena_bytes, 5 * 64);
}

TEST(MemoryPlan, ABytesInputTakesAByteForEach) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 16, 16, 3}, DType::UInt8);
  const ValueId y = graph.add("y", FromBytesAttrs{{1, 1, 1}, {0, 0, 0}}, {x});
  graph.outputs = {y};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(buffer(p, x).bytes, 16 * 16 * 3);
  EXPECT_EQ(buffer(p, y).bytes, 16 * 16 * 3 * 4);
  EXPECT_EQ(at(p, x).pixel_stride, 3);
}

TEST(MemoryPlan, AnInputIsThereFromTheStartAndAnOutputToTheEnd) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1, 1, 16});
  const ValueId early = graph.add("early", kRelu, {x});
  const ValueId a = graph.add("a", kRelu, {early});
  const ValueId late = graph.add_input("late", {1, 1, 1, 16});
  const ValueId b = graph.add("b", AddAttrs{}, {a, late});
  graph.outputs = {early, graph.add("c", kRelu, {b})};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(buffer(p, late).first, 0);
  EXPECT_EQ(buffer(p, early).first, 1);
  EXPECT_EQ(buffer(p, early).last, 5);
  EXPECT_EQ(buffer(p, b).last, 5);
}

TEST(MemoryPlan, WidePixelsAreAlignedNarrowOnesPacked) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 5, 5, 3});
  const ValueId y = graph.add("y", ConcatAttrs{}, {x, x, x, x, x, x});
  graph.outputs = {y};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(at(p, x).pixel_stride, 3);
  EXPECT_EQ(buffer(p, x).bytes, 320);  // 300, rounded up
  EXPECT_EQ(at(p, y).pixel_stride, 32);
  EXPECT_EQ(buffer(p, y).bytes, 25 * 32 * 4);
}

TEST(MemoryPlan, ConcatInputsStandInTheConcat) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 8});
  const ValueId a = graph.add("a", kRelu, {x});
  const ValueId b = graph.add("b", kRelu, {a});
  const ValueId inner = graph.add("inner", ConcatAttrs{}, {a, b});
  const ValueId c = graph.add("c", kRelu, {x});
  const ValueId outer = graph.add("outer", ConcatAttrs{}, {c, inner});
  graph.outputs = {outer};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(p.buffers.size(), 2u);
  for (ValueId id : {a, b, inner, c}) EXPECT_EQ(at(p, id).buffer, at(p, outer).buffer);
  EXPECT_EQ(at(p, c).channel, 0);
  EXPECT_EQ(at(p, inner).channel, 8);
  EXPECT_EQ(at(p, a).channel, 8);
  EXPECT_EQ(at(p, b).channel, 16);
  EXPECT_TRUE(at(p, inner).alias);
  EXPECT_TRUE(at(p, outer).alias);
  EXPECT_FALSE(at(p, a).alias);
  EXPECT_EQ(buffer(p, outer).first, 1);  // when a is written
}

TEST(MemoryPlan, ConcatCopiesWhatCannotStandThere) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 8});
  const ValueId a = graph.add("a", kRelu, {x});
  const ValueId half = graph.add("half", SliceAttrs{4, 4}, {a});
  const ValueId from_input = graph.add("from_input", ConcatAttrs{}, {a, x});
  const ValueId from_slice = graph.add("from_slice", ConcatAttrs{}, {half, graph.add("b", kRelu, {a})});
  const ValueId twice = graph.add("twice", ConcatAttrs{}, {graph.add("c", kRelu, {a}), graph.value(0).producer});
  graph.nodes[static_cast<std::size_t>(graph.value(twice).producer)].inputs[1] = graph.producer(twice).inputs[0];
  graph.outputs = {from_input, from_slice, twice};
  const MemoryPlan p = plan(graph);
  for (ValueId id : {from_input, from_slice, twice}) EXPECT_FALSE(at(p, id).alias) << graph.value(id).name;
  EXPECT_EQ(at(p, a).buffer, at(p, from_input).buffer);
  EXPECT_EQ(at(p, half).buffer, at(p, a).buffer);
  EXPECT_EQ(at(p, half).channel, 4);
  EXPECT_TRUE(at(p, half).alias);
  EXPECT_NE(at(p, x).buffer, at(p, from_input).buffer);
}

// As in the C2f block of YOLOv8: a convolution's halves, and what becomes of the second, side by side.
TEST(MemoryPlan, ASplitStandsInTheConcatOfItsParts) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 8});
  const ValueId whole = graph.add("whole", kRelu, {x});
  const ValueId a = graph.add("a", SliceAttrs{0, 4}, {whole}), b = graph.add("b", SliceAttrs{4, 4}, {whole});
  const ValueId c = graph.add("c", kRelu, {b});
  const ValueId joined = graph.add("joined", ConcatAttrs{}, {c, a, b});
  graph.outputs = {joined};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(p.buffers.size(), 2u);
  EXPECT_TRUE(at(p, joined).alias);
  EXPECT_EQ(at(p, c).channel, 0);
  EXPECT_EQ(at(p, whole).channel, 4);
  EXPECT_EQ(at(p, a).channel, 4);
  EXPECT_EQ(at(p, b).channel, 8);
}

TEST(MemoryPlan, ASplitIsCopiedIfAPartIsMissingOrElsewhere) {
  const auto joined_is_alias = [](const std::vector<int>& order, bool from_input) {
    Graph graph;
    const ValueId x = graph.add_input("x", {1, 2, 2, 8});
    const ValueId whole = from_input ? x : graph.add("whole", kRelu, {x});
    const std::array<ValueId, 3> parts{graph.add("a", SliceAttrs{0, 4}, {whole}),
                                       graph.add("b", SliceAttrs{4, 4}, {whole}), graph.add("other", kRelu, {x})};
    std::vector<ValueId> inputs;
    for (const int i : order) inputs.push_back(parts[static_cast<std::size_t>(i)]);
    const ValueId joined = graph.add("joined", ConcatAttrs{}, inputs);
    graph.outputs = {joined};
    const MemoryPlan p = plan(graph);
    return at(p, joined).alias;
  };
  EXPECT_TRUE(joined_is_alias({0, 1, 2}, false));
  EXPECT_FALSE(joined_is_alias({1, 0, 2}, false)) << "out of order";
  EXPECT_FALSE(joined_is_alias({0, 2, 1}, false)) << "apart";
  EXPECT_FALSE(joined_is_alias({0, 2}, false)) << "one missing";
  EXPECT_FALSE(joined_is_alias({0, 1, 0, 1}, false)) << "twice";
  EXPECT_FALSE(joined_is_alias({0, 1}, true)) << "the caller writes inputs elsewhere";
}

TEST(MemoryPlan, WithoutZeroCopyEveryValueHasItsBuffer) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 8});
  const ValueId a = graph.add("a", IdentityAttrs{}, {x});
  const ValueId b = graph.add("b", SliceAttrs{0, 4}, {a});
  graph.outputs = {graph.add("c", ConcatAttrs{}, {a, b})};
  const MemoryPlan p = plan(graph, {.zero_copy = false});
  EXPECT_EQ(p.buffers.size(), 4u);
  for (const Placement& placement : p.placements) EXPECT_FALSE(placement.alias);
}

TEST(MemoryPlan, ConstantsTakeNoArenaAndAreCopiedByConcats) {
  Graph graph;
  const ValueId k = graph.add("k", ConstantAttrs{constant(std::vector<float>(34)), {1, 1, 2, 17}}, {});
  const ValueId part = graph.add("part", SliceAttrs{3, 4}, {k});
  const ValueId flat = graph.add("flat", ReshapeAttrs{{1, 1, 1, 34}}, {k});
  const ValueId joined = graph.add("joined", ConcatAttrs{}, {k, part});
  graph.outputs = {joined, flat, part, k};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(p.buffers.size(), 1u);
  EXPECT_EQ(at(p, k), (Placement{kNone, k, 0, 17, true}));
  EXPECT_EQ(at(p, part), (Placement{kNone, k, 3, 17, true}));
  EXPECT_EQ(at(p, flat), (Placement{kNone, k, 0, 34, true}));
  EXPECT_FALSE(at(p, joined).alias);
  const MemoryPlan copying = plan(graph, {.zero_copy = false});
  EXPECT_EQ(at(copying, k), (Placement{kNone, k, 0, 17, true}));
  EXPECT_FALSE(at(copying, part).alias || at(copying, flat).alias);
}

TEST(MemoryPlan, ReshapesOfWholeValuesWithoutGapsCopyNothing) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 4, 16});
  const ValueId flat = graph.add("flat", ReshapeAttrs{{1, 1, 2, 64}}, {x});
  const ValueId part = graph.add("part", SliceAttrs{5, 10}, {flat});
  const ValueId again = graph.add("again", ReshapeAttrs{{1, 1, 128, 1}}, {flat});
  const ValueId of_part = graph.add("of_part", ReshapeAttrs{{1, 1, 4, 5}}, {part});
  const ValueId odd = graph.add("odd", SliceAttrs{0, 17}, {flat});
  const ValueId relu = graph.add("relu", kRelu, {odd});  // 17 channels stand 32 apart
  const ValueId of_relu = graph.add("of_relu", ReshapeAttrs{{1, 1, 17, 2}}, {relu});
  graph.outputs = {again, of_part, of_relu};
  const MemoryPlan p = plan(graph);
  EXPECT_EQ(at(p, flat), (Placement{at(p, x).buffer, kNone, 0, 64, true}));
  EXPECT_EQ(at(p, part), (Placement{at(p, x).buffer, kNone, 5, 64, true}));
  EXPECT_EQ(at(p, again), (Placement{at(p, x).buffer, kNone, 0, 1, true}));
  EXPECT_FALSE(at(p, of_part).alias) << "a slice has gaps";
  EXPECT_FALSE(at(p, of_relu).alias) << "padded pixels have gaps";
  EXPECT_EQ(buffer(p, x).last, static_cast<std::int32_t>(graph.nodes.size()) - 1) << "an output lies in it";
}

TEST(MemoryPlan, AReshapeOfWhatStandsInAConcatCopies) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 4, 16});
  const ValueId a = graph.add("a", kRelu, {x});
  const ValueId flat = graph.add("flat", ReshapeAttrs{{1, 1, 2, 64}}, {a});
  const ValueId both = graph.add("both", ConcatAttrs{}, {a, x});
  const ValueId whole = graph.add("whole", ReshapeAttrs{{1, 1, 1, 256}}, {both});
  graph.outputs = {flat, whole};
  const MemoryPlan p = plan(graph);
  EXPECT_FALSE(at(p, flat).alias);
  EXPECT_TRUE(at(p, whole).alias);
  EXPECT_EQ(at(p, whole).buffer, at(p, a).buffer);
}

TEST(MemoryPlan, ArenasAreLimited) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1 << 13, 1 << 13, 17});  // 32 floats for each pixel: 2^33 bytes
  const ValueId y = graph.add("y", kRelu, {x});
  graph.outputs = {graph.add("z", AddAttrs{}, {x, y})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  const auto refused = plan_memory(graph, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::limit_exceeded);
  EXPECT_EQ(
      refused.error().message,
      "the graph wants 25769803776 bytes for activations, at most 17179869184; a smaller input or batch would fit");
  graph.value(x).spec.shape = {1, 1 << 14, 1 << 14, 17};  // beyond what the verifier lets through
  EXPECT_EQ(
      plan_memory(graph, {}).error().message,
      "value 'x' (1x16384x16384x17) wants 34359738368 bytes for activations, at most 17179869184; a smaller input "
      "or batch would fit");
  graph.value(x).spec.shape = {1 << 24, 1 << 24, 1 << 24, 17};
  EXPECT_THAT(plan_memory(graph, {}).error().message, HasSubstr("uncountably many"));
}

// The property: whatever the graph, the verifier (which shares no code with the planner) finds nothing, and the figures
// stand in their order.
TEST(MemoryPlan, RandomGraphsGiveSoundPlans) {
  int reused = 0, aliases = 0;
  double arenas = 0, bounds = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const Graph graph = RandomGraph(seed).make(5 + static_cast<int>(seed % 40));
    for (const bool zero_copy : {true, false}) {
      const auto p = plan_memory(graph, {.zero_copy = zero_copy});
      ASSERT_TRUE(p.has_value());
      const auto status = verify_memory(graph, *p);
      ASSERT_TRUE(status.has_value()) << "seed " << seed << ": " << status.error().message;
      ASSERT_LE(p->lower_bound_bytes, p->arena_bytes);
      ASSERT_LE(p->arena_bytes, p->no_reuse_bytes);
      reused += p->arena_bytes < p->no_reuse_bytes;
      arenas += static_cast<double>(p->arena_bytes);
      bounds += static_cast<double>(p->lower_bound_bytes);
      for (const Placement& placement : p->placements) aliases += placement.alias;
    }
    const auto without = plan_memory(graph, {.reuse = false});
    ASSERT_EQ(without->arena_bytes, without->no_reuse_bytes);
    ASSERT_TRUE(verify_memory(graph, *without).has_value());
  }
  EXPECT_GT(reused, 5000);
  EXPECT_GT(aliases, 1000);
  EXPECT_LT(arenas, 1.02 * bounds);
}

TEST(MemoryPlan, IsAPureFunction) {
  const Graph graph = RandomGraph(7).make(40);
  const auto a = plan_memory(graph, {}), b = plan_memory(graph, {});
  for (std::size_t i = 0; i < a->buffers.size(); ++i) EXPECT_EQ(a->buffers[i].offset, b->buffers[i].offset);
}

}  // namespace
}  // namespace tessera
