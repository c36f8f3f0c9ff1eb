#pragma once
// The general tensor operators on every device, instruction set and thread count, against plain loops over dense arrays
// that the cases bring. Inputs come without gaps and as channel slices of wider values; outputs stand alone and in a
// concat. Numbers are small integers, so results are exact unless a case states its tolerance.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <random>
#include <string>

#include "device/device_test.h"

namespace tessera::testing {

using Values = std::vector<float>;
using Want = std::function<Values(const std::vector<Values>&)>;

struct Case {
  const char* name;
  Attrs attrs;
  std::vector<Shape> inputs;
  Want want;
  double tolerance = 0;  // relative to max(1, |want|)
};
inline void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

inline Values made(std::int64_t count, const std::function<float(std::int64_t)>& value) {
  Values out(at(count));
  for (std::int64_t i = 0; i < count; ++i) out[at(i)] = value(i);
  return out;
}

enum class Place { alone, between_views };

// The operator on its inputs, or on slices of wider ones with its output in a concat.
inline Graph graph_of(const Case& c, Place place) {
  Graph graph;
  std::vector<ValueId> ids;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    Shape shape = c.inputs[i];
    const std::int64_t channels = shape[3];
    if (place == Place::between_views) shape[3] += 3;
    ids.push_back(graph.add_input("x" + std::to_string(i), shape));
    if (place == Place::between_views)
      ids.back() = graph.add("part" + std::to_string(i), SliceAttrs{2, channels}, {ids.back()});
  }
  const ValueId y = graph.add("op", c.attrs, ids);
  graph.outputs = {y};
  if (place == Place::between_views) {
    graph.outputs.push_back(
        graph.add("both", ConcatAttrs{}, {graph.add("other", ActivationAttrs{{Activation::relu}}, {y}), y}));
  }
  const auto status = infer_shapes(graph);
  EXPECT_TRUE(status.has_value()) << status.error().message;
  return graph;
}

inline std::vector<Values> numbers_for(const Case& c) {
  std::mt19937 random(11);
  std::vector<Values> out;
  for (const Shape& shape : c.inputs) {
    out.push_back(made(shape[0] * shape[1] * shape[2] * shape[3],
                       [&](std::int64_t) { return static_cast<float>(static_cast<int>(random() % 17) - 8); }));
  }
  return out;
}

inline Values run(const Graph& graph, const std::vector<Values>& numbers, const PrepareOptions& options,
                  std::string* impl) {
  const auto exec = Executable::prepare(graph, options);
  if (!exec) {
    ADD_FAILURE() << exec.error().message;
    return {};
  }
  for (const NodeChoice& choice : (*exec)->choices()) {
    if (impl != nullptr && choice.node == "op") *impl = choice.impl;
  }
  auto context = ExecutionContext::create(*exec, options.threads);
  ThreadPool pool(options.threads);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    TensorRef in = context->input(i);
    testing::fill(in, {1e30f});  // what lies beside a slice must not be read
    const std::int64_t channels = static_cast<std::int64_t>(numbers[i].size()) / (in.n * in.h * in.w);
    if (in.c != channels) in.data += 2;
    in.c = channels;
    testing::fill(in, numbers[i]);
  }
  context->run(pool);
  return testing::read(context->output(0));
}

inline void expect_values(const Values& got, const Values& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  ASSERT_FALSE(want.empty());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i]) && std::isnan(got[i])) continue;
    if (std::isinf(want[i])) {
      ASSERT_EQ(got[i], want[i]) << "at " << i;
      continue;
    }
    ASSERT_NEAR(got[i], want[i], tolerance * std::max(1.0, std::abs(double{want[i]}))) << "at " << i;
  }
}

// On the reference device and on every instruction set of the cpu.
inline void expect_everywhere(const Case& c) {
  const auto numbers = numbers_for(c);
  const Values want = c.want(numbers);
  int compared = 0;
  for (const Place place : {Place::alone, Place::between_views}) {
    const Graph graph = graph_of(c, place);
    {
      SCOPED_TRACE("reference");
      expect_values(run(graph, numbers, {.device = "reference", .threads = 1}, nullptr), want, c.tolerance);
    }
    for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
      if (!CpuInfo::detect().supports(isa)) continue;
      for (const bool copies : {false, true}) {
        SCOPED_TRACE(std::string(to_string(isa)) + (place == Place::alone ? " alone" : " between views") +
                     (copies ? ", copying" : ""));
        PrepareOptions options{.device = "cpu", .isa = isa, .threads = 1};
        if (copies) options.disabled = {"zero-copy", "reuse"};
        std::string impl;
        const Values one = run(graph, numbers, options, &impl);
        expect_values(one, want, c.tolerance);
        options.threads = 5;
        const Values many = run(graph, numbers, options, nullptr);
        for (std::size_t i = 0; i < one.size(); ++i) {
          ASSERT_TRUE(one[i] == many[i] || std::isnan(one[i])) << "one thread against five, at " << i;
        }
        const bool runs = !std::holds_alternative<ReshapeAttrs>(c.attrs) && !std::holds_alternative<PoolAttrs>(c.attrs);
        EXPECT_TRUE(!runs || impl.find("reference") == std::string::npos) << impl;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 4);
}

}  // namespace tessera::testing
