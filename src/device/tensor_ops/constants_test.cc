// Constants and reshapes where they copy nothing, and numbers that no case has.

#include <gmock/gmock.h>

#include <cmath>

#include "device/device_test.h"

namespace tessera {
namespace {

TEST(TensorConstants, AreReadWhereTheyAreByAllWhoWant) {
  for (const char* device : {"reference", "cpu"}) {
    for (const bool copies : {false, true}) {
      Graph graph;
      const ValueId x = graph.add_input("x", {1, 1, 2, 3});
      const ValueId k = graph.add("k", ConstantAttrs{testing::constant({1, 2, 3, 4, 5, 6}), {1, 1, 2, 3}}, {});
      const ValueId sum = graph.add("sum", AddAttrs{}, {x, k});
      const ValueId twice = graph.add("twice", AddAttrs{}, {sum, k});
      const ValueId middle = graph.add("middle", SliceAttrs{1, 1}, {k});
      const ValueId flat = graph.add("flat", ReshapeAttrs{{1, 1, 1, 6}}, {k});
      const ValueId joined = graph.add("joined", ConcatAttrs{}, {k, sum, middle});
      graph.outputs = {twice, k, joined, flat, graph.add("relu", ActivationAttrs{{Activation::relu}}, {middle})};
      ASSERT_TRUE(infer_shapes(graph).has_value());
      PrepareOptions options{.device = device, .threads = 2};
      if (copies) options.disabled = {"zero-copy"};
      const auto exec = Executable::prepare(graph, options);
      ASSERT_TRUE(exec.has_value()) << exec.error().message;
      EXPECT_EQ((*exec)->weight_bytes(), 24);
      auto context = ExecutionContext::create(*exec, 2);
      ThreadPool pool(2);
      for (int round = 0; round < 2; ++round) {  // nobody wrote on the constant in the first
        testing::fill(context->input(0), {10, 20, 30, 40, 50, 60});
        context->run(pool);
        EXPECT_THAT(testing::read(context->output(0)), ::testing::ElementsAre(12, 24, 36, 48, 60, 72));
        EXPECT_THAT(testing::read(context->output(1)), ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
        EXPECT_THAT(testing::read(context->output(2)),
                    ::testing::ElementsAre(1, 2, 3, 11, 22, 33, 2, 4, 5, 6, 44, 55, 66, 5));
        EXPECT_THAT(testing::read(context->output(3)), ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
        EXPECT_THAT(testing::read(context->output(4)), ::testing::ElementsAre(2, 5));
      }
    }
  }
}

TEST(TensorConstants, MayBeTheWholeGraph) {
  Graph graph;
  graph.outputs = {graph.add("k", ConstantAttrs{testing::constant({3, 1}), {1, 1, 1, 2}}, {})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  EXPECT_THAT(testing::outputs_of(graph, {.device = "cpu"}), ::testing::ElementsAre(3, 1));
}

TEST(TensorNumbers, NaNAndInfinitiesAsIndicesReadInside) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1, 1, 3});
  const std::vector<float> odd{NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -3, -4, 2.9f};
  const ValueId i = graph.add("i", ConstantAttrs{testing::constant(odd), {1, 1, 1, 8}}, {});
  graph.outputs = {graph.add("g", GatherAttrs{1, 3, 1, false, {1, 1, 1, 8}}, {x, i})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  for (const char* device : {"reference", "cpu"}) {
    const auto exec = Executable::prepare(graph, {.device = device, .threads = 1});
    ASSERT_TRUE(exec.has_value());
    auto context = ExecutionContext::create(*exec, 1);
    ThreadPool pool(1);
    testing::fill(context->input(0), {5, 6, 7});
    context->run(pool);
    EXPECT_THAT(testing::read(context->output(0)), ::testing::ElementsAre(5, 7, 5, 7, 5, 5, 5, 7));
  }
}

TEST(TensorNumbers, NaNInReductionsAndTopK) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1, 1, 5});
  const auto reduce = [&](const char* name, ReduceKind kind) {
    return graph.add(name, ReduceAttrs{kind, false, {}, {}, {5}, {1}, {1, 1, 1, 1}}, {x});
  };
  graph.outputs = {reduce("max", ReduceKind::max), reduce("min", ReduceKind::min), reduce("at", ReduceKind::argmax),
                   graph.add("top", TopKAttrs{5, true, true}, {x}), graph.add("low", TopKAttrs{5, false, true}, {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  for (const char* device : {"reference", "cpu"}) {
    const auto exec = Executable::prepare(graph, {.device = device, .threads = 1});
    ASSERT_TRUE(exec.has_value());
    auto context = ExecutionContext::create(*exec, 1);
    ThreadPool pool(1);
    testing::fill(context->input(0), {NAN, 2, 4, NAN, 4});
    context->run(pool);
    EXPECT_TRUE(std::isnan(testing::read(context->output(0))[0])) << device;
    EXPECT_TRUE(std::isnan(testing::read(context->output(1))[0])) << device;
    EXPECT_EQ(testing::read(context->output(2))[0], 2) << device;
    EXPECT_THAT(testing::read(context->output(3)), ::testing::ElementsAre(2, 4, 1, 0, 3)) << device;
    EXPECT_THAT(testing::read(context->output(4)), ::testing::ElementsAre(1, 2, 4, 0, 3)) << device;
  }
}

}  // namespace
}  // namespace tessera
