#pragma once
// What the device tests share: filling inputs, reading tensors, running a graph once.

#include <gtest/gtest.h>

#include <random>

#include "device/device.h"
#include "graph/random_graph.h"

namespace tessera::testing {

/// Writes values in NHWC order, from the start again when they run out; 3 more to an input of u8.
inline void fill(const TensorRef& t, const std::vector<float>& values) {
  std::size_t i = 0;
  for (std::int64_t p = 0; t.bytes && p < t.n * t.h * t.w; ++p) {
    for (std::int64_t c = 0; c < t.c; ++c) {
      t.bytes[p * t.pixel_stride + c] = static_cast<std::uint8_t>(values[i++ % values.size()] + 3);
    }
  }
  if (t.bytes) return;
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    for (std::int64_t c = 0; c < t.c; ++c) t.data[p * t.pixel_stride + c] = values[i++ % values.size()];
  }
}
inline std::vector<float> read(const TensorRef& t) {
  std::vector<float> out;
  for (std::int64_t p = 0; p < t.n * t.h * t.w; ++p) {
    out.insert(out.end(), t.data + p * t.pixel_stride, t.data + p * t.pixel_stride + t.c);
  }
  return out;
}

/// All outputs, one after another, for inputs of integers from -3 to 3.
inline std::vector<float> run_once(const Executable& exec, ExecutionContext& context, ThreadPool& pool) {
  std::mt19937 random(1);
  for (std::size_t i = 0; i < exec.graph().inputs.size(); ++i) {
    std::vector<float> values(1009);
    for (float& v : values) v = static_cast<float>(random() % 7) - 3.0f;
    fill(context.input(i), values);
  }
  context.run(pool);
  std::vector<float> out;
  for (std::size_t i = 0; i < exec.graph().outputs.size(); ++i) {
    const std::vector<float> values = read(context.output(i));
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

inline std::vector<float> outputs_of(const Graph& graph, const PrepareOptions& options, int threads = 1) {
  const auto exec = Executable::prepare(graph, options);
  EXPECT_TRUE(exec.has_value()) << exec.error().message;
  if (!exec) return {};
  auto context = ExecutionContext::create(*exec, threads);
  EXPECT_TRUE(context.has_value());
  ThreadPool pool(threads);
  return run_once(**exec, *context, pool);
}

/// relu(2 * x + 1) joined with x, for two pixels of one channel.
inline Graph small_graph() {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 1, 2, 1});
  const ValueId conv = graph.add("conv", ConvAttrs{.oc = 1, .weights = constant({2}), .bias = constant({1})}, {x});
  const ValueId relu = graph.add("relu", ActivationAttrs{{Activation::relu}}, {conv});
  graph.outputs = {graph.add("both", ConcatAttrs{}, {relu, x})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

}  // namespace tessera::testing
