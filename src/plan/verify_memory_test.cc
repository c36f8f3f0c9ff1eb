// The verifier must refuse plans with each kind of flaw; a checker that accepts all would pass the other tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "graph/random_graph.h"
#include "plan/memory_plan.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

const ActivationAttrs kRelu{{Activation::relu}};

// x -> a -> b, both = concat(a, b) -> y; 8 channels each.
struct Planned {
  Graph graph;
  MemoryPlan plan;
  ValueId x, a, b, both, y;

  Planned() {
    x = graph.add_input("x", {1, 2, 2, 8});
    a = graph.add("a", kRelu, {x});
    b = graph.add("b", kRelu, {a});
    both = graph.add("both", ConcatAttrs{}, {a, b});
    y = graph.add("y", kRelu, {both});
    graph.outputs = {y};
    EXPECT_TRUE(infer_shapes(graph).has_value());
    plan = *plan_memory(graph, {});
    EXPECT_EQ(refusal(), "");
  }
  Placement& place(ValueId id) { return plan.placements[static_cast<std::size_t>(id)]; }
  Buffer& buffer(ValueId id) { return plan.buffers[static_cast<std::size_t>(place(id).buffer)]; }
  std::string refusal() const {
    const auto status = verify_memory(graph, plan);
    return status.has_value() ? "" : status.error().message;
  }
};

TEST(VerifyMemory, BuffersLieInTheArena) {
  Planned p;
  p.plan.arena_bytes = 64;
  EXPECT_THAT(p.refusal(), HasSubstr("memory plan: buffer 0 at "));
  EXPECT_THAT(p.refusal(), HasSubstr("leaves the arena of 64"));
  p = {};
  p.buffer(p.x).offset = 4;
  EXPECT_THAT(p.refusal(), HasSubstr("begins at 4, want a multiple of 64"));
  p = {};
  p.buffer(p.x).offset = -64;
  EXPECT_THAT(p.refusal(), HasSubstr("at -64"));
  p = {};
  p.buffer(p.x).offset = INT64_MAX - 63;
  EXPECT_THAT(p.refusal(), HasSubstr("leaves the arena"));
}

TEST(VerifyMemory, ValuesLieInTheirBuffers) {
  Planned p;
  p.place(p.b).channel = 9;
  EXPECT_EQ(p.refusal(), "memory plan: 'b' (1x2x2x8) at channel 9 of pixels 16 wide leaves its buffer of 256 bytes");
  p = {};
  p.place(p.a).buffer = 7;
  EXPECT_EQ(p.refusal(), "memory plan: 'a' lies in buffer 7, there is none");
  p = {};
  p.buffer(p.x).bytes = 64;
  EXPECT_THAT(p.refusal(), HasSubstr("leaves its buffer of 64 bytes"));
  p = {};
  p.place(p.a).pixel_stride = 15;
  EXPECT_THAT(p.refusal(), HasSubstr("sees other pixels than the other values of buffer"));
  p = {};
  p.plan.placements.pop_back();
  EXPECT_EQ(p.refusal(), "memory plan: 4 placements for 5 values");
}

TEST(VerifyMemory, NoNodeWritesOverItsInput) {
  Planned p;
  p.buffer(p.both).offset = p.buffer(p.x).offset;
  p.plan.arena_bytes = 1 << 20;
  p.buffer(p.y).offset = 1 << 19;
  EXPECT_EQ(p.refusal(), "memory plan: node 'a' overwrites its own input 'x'");
  p = {};
  p.place(p.b).channel = 4;
  EXPECT_EQ(p.refusal(), "memory plan: node 'b' overwrites its own input 'a'");
}

TEST(VerifyMemory, NothingIsOverwrittenBeforeItsLastReader) {
  Planned p;
  const ValueId z = p.graph.add("z", AddAttrs{}, {p.y, p.graph.add("late", kRelu, {p.both})});
  p.graph.outputs = {z};
  ASSERT_TRUE(infer_shapes(p.graph).has_value());
  p.plan = *plan_memory(p.graph, {});
  ASSERT_EQ(p.refusal(), "");
  // 'late' goes where 'y', which z still wants, lies.
  p.buffer(p.graph.producer(z).inputs[1]).offset = p.buffer(p.y).offset;
  EXPECT_EQ(p.refusal(), "memory plan: node 'z' reads 'y', but its channel 0 was overwritten or never written");
}

TEST(VerifyMemory, OutputsLastToTheEnd) {
  Planned p;
  p.graph.outputs = {p.x, p.y};
  p.buffer(p.y).offset = p.buffer(p.x).offset;  // x was given up before y
  EXPECT_EQ(p.refusal(), "memory plan: the caller reads 'x', but its channel 0 was overwritten or never written");
}

TEST(VerifyMemory, AliasesHaveTheirDataInPlace) {
  Planned p;
  std::swap(p.place(p.a).channel, p.place(p.b).channel);
  EXPECT_EQ(p.refusal(), "memory plan: node 'both' does nothing and so reads 'both', but its channel 0 holds 'b'");
  p = {};
  p.place(p.y).alias = true;
  EXPECT_EQ(p.refusal(),
            "memory plan: node 'y' does nothing and so reads 'y', but its channel 0 was overwritten or never written");
  p = {};
  p.place(p.both).alias = false;  // a concat that runs and finds all in place copies nothing
  EXPECT_EQ(p.refusal(), "");
}

// x -> a -> flat (in place) -> part (in place) -> y; k is a constant.
struct Reshaped {
  Graph graph;
  MemoryPlan plan;
  ValueId x, k, a, b, flat, part, y;

  Reshaped() {
    x = graph.add_input("x", {1, 2, 2, 16});
    k = graph.add("k", ConstantAttrs{testing::constant(std::vector<float>(64)), {1, 2, 2, 16}}, {});
    a = graph.add("a", AddAttrs{}, {x, k});
    flat = graph.add("flat", ReshapeAttrs{{1, 1, 2, 32}}, {a});
    part = graph.add("part", SliceAttrs{3, 20}, {flat});
    b = graph.add("b", kRelu, {x});
    y = graph.add("y", kRelu, {part});
    graph.outputs = {y, b};
    EXPECT_TRUE(infer_shapes(graph).has_value());
    plan = *plan_memory(graph, {});
    EXPECT_EQ(refusal(), "");
  }
  Placement& place(ValueId id) { return plan.placements[static_cast<std::size_t>(id)]; }
  Buffer& buffer(ValueId id) { return plan.buffers[static_cast<std::size_t>(place(id).buffer)]; }
  std::string refusal() const {
    const auto status = verify_memory(graph, plan);
    return status.has_value() ? "" : status.error().message;
  }
};

TEST(VerifyMemory, ReshapesInPlaceSeeTheirNumbers) {
  Reshaped p;
  p.place(p.flat).pixel_stride = 16;
  EXPECT_EQ(p.refusal(), "memory plan: 'flat' is not where its numbers in 'a' are");
  p = {};
  p.place(p.part).channel = 4;
  EXPECT_EQ(p.refusal(), "memory plan: 'part' is not where its numbers in 'flat' are");
  p = {};
  p.place(p.part).buffer = p.place(p.x).buffer;
  EXPECT_EQ(p.refusal(), "memory plan: 'part' is not where its numbers in 'flat' are");
  p = {};
  p.plan.arena_bytes = 1 << 20;
  p.buffer(p.a).bytes *= 2;
  p.place(p.a).pixel_stride = 32;
  EXPECT_EQ(p.refusal(), "memory plan: 'flat' sees 'a', which has gaps, as one run");
}

TEST(VerifyMemory, BytesAndNumbersLieInDifferentBuffers) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 2, 2, 2}, DType::UInt8);
  graph.outputs = {graph.add("y", FromBytesAttrs{{1, 1}, {0, 0}}, {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  MemoryPlan plan = *plan_memory(graph, {});
  ASSERT_TRUE(verify_memory(graph, plan).has_value());
  plan.placements[1] = plan.placements[0];
  EXPECT_EQ(verify_memory(graph, plan).error().message,
            "memory plan: 'y' is of another type than the other values of buffer 0");
}

TEST(VerifyMemory, ReshapesInPlaceLastAsLongAsTheirBase) {
  Reshaped p;
  p.buffer(p.b).offset = p.buffer(p.a).offset;  // b is written while part still wants a
  EXPECT_EQ(p.refusal(), "memory plan: node 'y' reads 'part', but channel 0 of 'a' was overwritten or never written");
  p = {};
  p.place(p.y) = {p.place(p.a).buffer, kNone, 0, 16, false};
  EXPECT_THAT(p.refusal(), HasSubstr("memory plan: "));
}

TEST(VerifyMemory, NobodyWritesOverAConstant) {
  Reshaped p;
  p.place(p.b) = {kNone, p.k, 0, 16, false};
  EXPECT_EQ(p.refusal(), "memory plan: 'b' would be written over a constant");
  p = {};
  p.place(p.k).channel = 1;
  EXPECT_EQ(p.refusal(), "memory plan: 'k' is not placed as a constant");
  p = {};
  p.place(p.k) = p.place(p.x);
  EXPECT_EQ(p.refusal(), "memory plan: 'k' is not placed as a constant");
}

// Random plans with one buffer moved onto another, against the plain definition (buffers whose lifetimes meet do not
// overlap). What the verifier refuses breaks it. The other way round a few clashes do no harm: with the part of a
// concat's buffer that is not written yet, with an input that nobody reads.
TEST(VerifyMemory, RandomFlawsAreFoundOrHarmless) {
  int found = 0, harmless = 0, tried = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    testing::RandomGraph random(seed);
    const Graph graph = random.make(25);
    MemoryPlan plan = *plan_memory(graph, {});
    if (plan.buffers.size() < 3) continue;
    const auto pick = [&] { return static_cast<std::size_t>(random.below(static_cast<int>(plan.buffers.size()))); };
    const std::size_t moved = pick(), onto = pick();
    plan.buffers[moved].offset = plan.buffers[onto].offset;
    if (plan.buffers[moved].offset + plan.buffers[moved].bytes > plan.arena_bytes) continue;
    bool clash = false;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      const Buffer &a = plan.buffers[i], &b = plan.buffers[moved];
      clash |= i != moved && a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes &&
               b.offset < a.offset + a.bytes;
    }
    ++tried;
    const bool refused = !verify_memory(graph, plan).has_value();
    found += refused;
    harmless += clash && !refused;
    EXPECT_TRUE(clash || !refused) << "seed " << seed << ": " << verify_memory(graph, plan).error().message;
  }
  EXPECT_GT(tried, 1000);
  EXPECT_GT(found, tried / 4);
  EXPECT_LT(harmless, tried / 10) << "of " << tried << " plans, " << found << " refused";
}

}  // namespace
}  // namespace tessera
