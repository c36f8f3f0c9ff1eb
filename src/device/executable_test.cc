// Graphs made by hand, run on the reference device.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "graph/random_graph.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::constant;

void fill(const TensorRef& t, const std::vector<float>& values) {
  std::size_t i = 0;
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    for (std::int64_t c = 0; c < t.c; ++c) t.data[p * t.pixel_stride + c] = values[i++ % values.size()];
  }
}
std::vector<float> read(const TensorRef& t) {
  std::vector<float> out;
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    out.insert(out.end(), t.data + p * t.pixel_stride, t.data + p * t.pixel_stride + t.c);
  }
  return out;
}

Result<std::shared_ptr<const Executable>> prepare(Graph graph, PrepareOptions options = {}) {
  return Executable::prepare(std::move(graph), options);
}

// relu(2 * x + 1) joined with x.
Graph small_graph() {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1, 2, 1});
  const ValueId conv = graph.add("conv", ConvAttrs{.oc = 1, .weights = constant({2}), .bias = constant({1})}, {x});
  const ValueId relu = graph.add("relu", ActivationAttrs{{Activation::relu}}, {conv});
  graph.outputs = {graph.add("both", ConcatAttrs{}, {relu, x})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

TEST(Executable, RunsOnTheReferenceDevice) {
  const auto exec = prepare(small_graph(), {.device = "reference"});
  ASSERT_TRUE(exec.has_value()) << exec.error().message;
  auto context = ExecutionContext::create(*exec, 1);
  ASSERT_TRUE(context.has_value());
  ThreadPool pool(1);
  fill(context->input(0), {3, -4});
  context->run(pool);
  EXPECT_THAT(read(context->output(0)), ElementsAre(7, 3, 0, -4));
}

}  // namespace
}  // namespace tessera
