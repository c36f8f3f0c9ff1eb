// Each operator of the cpu device between views: it reads a channel slice and writes into a concat, on every ISA and
// several thread counts, against the reference device. Numbers are small integers wherever the operator's results are
// then exact, so that most comparisons need no tolerance.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>
#include <random>
#include <string>

#include "device/device.h"
#include "graph/random_graph.h"

namespace tessera {
namespace {

using testing::constant;

struct OpCase {
  const char* op;                               // "pool"
  const char* name;                             // of the test
  bool exact;                                   // same numbers as the reference
  std::function<ValueId(Graph&, ValueId)> add;  // the node reading a value
};

void PrintTo(const OpCase& op, std::ostream* out) { *out << op.name; }

ValueId add_same(Graph& graph, ValueId x, std::vector<ValueId> others, Attrs attrs) {
  others.insert(others.begin(), x);
  return graph.add("op", std::move(attrs), std::move(others));
}

OpCase activation(Activation kind, const char* name, bool exact) {
  return {"activation", name, exact, [kind](Graph& graph, ValueId x) {
            return graph.add("op", ActivationAttrs{{kind, 0.25f}}, {x});
          }};
}
OpCase pool(const char* name, PoolAttrs attrs) {
  return {"pool", name, true, [attrs](Graph& graph, ValueId x) { return graph.add("op", attrs, {x}); }};
}

const OpCase kCases[] = {
    activation(Activation::relu, "relu", true),
    activation(Activation::leaky, "leaky", true),
    activation(Activation::mish, "mish", false),
    activation(Activation::silu, "silu", false),
    activation(Activation::logistic, "logistic", false),
    pool("max2x2", {PoolAttrs::Kind::max, 2, 2, 2, 2, {}}),
    pool("max2x2_stride1", {PoolAttrs::Kind::max, 2, 2, 1, 1, {0, 0, 1, 1}}),
    pool("max5x5", {PoolAttrs::Kind::max, 5, 5, 1, 1, {2, 2, 2, 2}}),
    pool("average3x3", {PoolAttrs::Kind::average, 3, 3, 1, 1, {1, 1, 1, 1}}),
    {"global_average_pool", "global_average_pool", true,
     [](Graph& graph, ValueId x) { return graph.add("op", GlobalAveragePoolAttrs{}, {x}); }},
    {"upsample", "upsample", true,
     [](Graph& graph, ValueId x) {
       return graph.add("op", UpsampleAttrs{2, 3, 0.5f}, {x});
     }},
    {"softmax", "softmax", false, [](Graph& graph, ValueId x) { return graph.add("op", SoftmaxAttrs{}, {x}); }},
    {"add", "add", true, [](Graph& graph, ValueId x) { return add_same(graph, x, {x}, AddAttrs{{Activation::relu}}); }},
    {"add", "add_many", true,
     [](Graph& graph, ValueId x) { return add_same(graph, x, std::vector<ValueId>(16, x), AddAttrs{}); }},
    {"mul", "mul", true, [](Graph& graph, ValueId x) { return add_same(graph, x, {x}, MulAttrs{}); }},
    {"mul", "mul_per_channel", true,
     [](Graph& graph, ValueId x) {
       const ValueId mean = graph.add("mean", GlobalAveragePoolAttrs{}, {x});
       return add_same(graph, x, {graph.add("sign", ActivationAttrs{{Activation::relu}}, {mean})}, MulAttrs{});
     }},
    {"mul", "mul_per_pixel", true,
     [](Graph& graph, ValueId x) {
       return add_same(graph, x, {graph.add("first", SliceAttrs{1, 1}, {x})}, MulAttrs{});
     }},
};

// input -> slice of the middle -> op -> concat [two channels of the op's shape before, op, op again as a copy].
Graph between_views(const OpCase& op, const Shape& nhwc) {
  Graph graph;
  const ValueId x = graph.add_input("x", nhwc);
  const ValueId middle = graph.add("middle", SliceAttrs{2, nhwc[3] - 3}, {x});
  const ValueId y = op.add(graph, middle);
  const ValueId few = graph.add("few", SliceAttrs{0, 2}, {y});
  const ValueId relu = graph.add("few_relu", ActivationAttrs{{Activation::relu}}, {few});
  graph.outputs = {graph.add("all", ConcatAttrs{}, {relu, y, few})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

struct Outcome {
  std::vector<float> values;
  std::string impl;  // what the node "op" got
  int fallbacks = 0;
};

Outcome run(const Graph& graph, PrepareOptions options, int threads) {
  options.threads = threads;
  const auto exec = Executable::prepare(graph, options);
  if (!exec) {
    ADD_FAILURE() << exec.error().message;
    return {};
  }
  Outcome out;
  out.fallbacks = (*exec)->fallback_nodes();
  for (const NodeChoice& choice : (*exec)->choices()) {
    if (choice.node == "op") out.impl = choice.impl;
  }
  auto context = ExecutionContext::create(*exec, threads);
  EXPECT_TRUE(context.has_value());
  std::mt19937 random(7);
  const TensorRef in = context->input(0);
  for (std::int64_t p = 0; p < in.n * in.h * in.w; ++p) {
    for (std::int64_t c = 0; c < in.c; ++c) {
      in.data[p * in.pixel_stride + c] = static_cast<float>(static_cast<int>(random() % 17) - 8);
    }
  }
  ThreadPool pool(threads);
  context->run(pool);
  const TensorRef y = context->output(0);
  for (std::int64_t p = 0; p < y.n * y.h * y.w; ++p) {
    out.values.insert(out.values.end(), y.data + p * y.pixel_stride, y.data + p * y.pixel_stride + y.c);
  }
  return out;
}

void expect_close(const OpCase& op, const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  ASSERT_FALSE(got.empty());
  for (std::size_t i = 0; i < got.size(); ++i) {
    // The bound of vec_math.h for |x| <= 8, and softmax's (softmax.h: below 2e-6 relative for differences up to 16).
    const double tolerance = op.exact ? 0 : 1e-6 * std::max(2.0, 2 * std::fabs(double{want[i]}));
    ASSERT_NEAR(got[i], want[i], tolerance) << "at " << i;
  }
}

class CpuOps : public ::testing::TestWithParam<OpCase> {};

TEST_P(CpuOps, EqualTheReferenceBetweenViewsOnEveryIsaAndThreadCount) {
  const OpCase& op = GetParam();
  int compared = 0;
  for (const Shape& shape : {Shape{1, 7, 9, 8}, Shape{2, 26, 31, 41}, Shape{1, 40, 40, 67}}) {
    const Graph graph = between_views(op, shape);
    const Outcome want = run(graph, {.device = "reference"}, 1);
    for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
      if (!CpuInfo::detect().supports(isa)) continue;
      SCOPED_TRACE(to_string(shape) + " " + to_string(isa));
      const Outcome one = run(graph, {.device = "cpu", .isa = isa}, 1);
      EXPECT_EQ(one.impl, std::string(op.op) + "_" + to_string(isa));
      EXPECT_EQ(one.fallbacks, 0);
      expect_close(op, one.values, want.values);
      for (const int threads : {2, 5}) EXPECT_EQ(run(graph, {.device = "cpu", .isa = isa}, threads).values, one.values);
      EXPECT_EQ(run(graph, {.device = "cpu", .isa = isa, .disabled = {"zero-copy", "reuse"}}, 2).values, one.values);
      ++compared;
    }
  }
  EXPECT_GE(compared, 3);
}

INSTANTIATE_TEST_SUITE_P(Ops, CpuOps, ::testing::ValuesIn(kCases), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera
