// Convolutions through the executor: which implementation is chosen and why, every ISA against the reference device,
// the same bits for every number of threads, views of wider buffers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/text.h"
#include "device/cpu/cpu.h"
#include "device/device_test.h"

namespace tessera {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Constant numbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
  return std::make_shared<const std::vector<float>>(std::move(values));
}

ConvAttrs conv(int ic, int oc, int k, int stride, Activation act, int groups = 1) {
  ConvAttrs attrs{.oc = oc, .kh = k, .kw = k, .sh = stride, .sw = stride, .groups = groups};
  attrs.pad = {k / 2, k / 2, k / 2, k / 2};
  attrs.weights = numbers(std::int64_t{oc} * ic / groups * k * k, static_cast<unsigned>(oc + k));
  attrs.bias = numbers(oc, 5);
  attrs.epilogue.act.kind = act;
  return attrs;
}

/// A stem, a residual block, a depthwise and a grouped layer, joined without copies: outputs are slices of one buffer.
Graph network() {
  Graph graph;
  const ValueId x = graph.add_input("x", {2, 37, 29, 3});
  const ValueId stem = graph.add("stem", conv(3, 24, 3, 2, Activation::mish), {x});
  ConvAttrs block = conv(24, 24, 3, 1, Activation::silu);
  block.epilogue.residual = true;
  const ValueId sum = graph.add("block", block, {stem, stem});
  const ValueId deep = graph.add("deep", conv(24, 24, 3, 1, Activation::relu, 24), {sum});
  const ValueId grouped = graph.add("grouped", conv(24, 36, 3, 1, Activation::leaky, 3), {deep});
  const ValueId joined = graph.add("joined", ConcatAttrs{}, {grouped, deep, sum});
  graph.outputs = {graph.add("head", conv(84, 255, 1, 1, Activation::linear), {joined})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

std::vector<Isa> isas() {
  std::vector<Isa> out;
  for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (CpuInfo::detect().supports(isa)) out.push_back(isa);
  }
  return out;
}

TEST(CpuConv, EveryIsaIsCloseToTheReferenceDevice) {
  const Graph graph = network();
  const auto want = testing::outputs_of(graph, {.device = "reference"});
  double largest = 0;
  for (const float v : want) largest = std::max(largest, std::fabs(double{v}));
  // Each of the five layers has sums of at most 216 terms and stretches the errors before it by at most the sum of its
  // weights' magnitudes, which is what stretches the values too: errors stay near 216 u of the largest value per layer.
  const double bound = 5 * 216 * std::ldexp(1.0, -24) * largest;
  for (const Isa isa : isas()) {
    const auto got = testing::outputs_of(graph, {.isa = isa, .disabled = {"winograd"}});
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], bound) << to_string(isa) << " at " << i;
  }
}

// One layer, so that the error is that layer's: Winograd's transforms stretch magnitudes by up to 100 (B^T to both
// sides: 10 * 10) before they divide them again.
TEST(CpuConv, WinogradIsCloseToTheReferenceDevice) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 30, 26, 32});
  graph.outputs = {graph.add("conv", conv(32, 40, 3, 1, Activation::leaky), {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  const auto want = testing::outputs_of(graph, {.device = "reference"});
  const double magnitude = 3.0 * 9 * 32;  // inputs up to 3, weights up to 1
  for (const Isa isa : isas()) {
    const auto exec = Executable::prepare(graph, {.isa = isa});
    ASSERT_TRUE(exec.has_value());
    EXPECT_EQ((*exec)->choices()[1].impl, text("conv_winograd_", to_string(isa)));
    const auto got = testing::outputs_of(graph, {.isa = isa});
    const double bound = 100 * (32 + 30) * std::ldexp(1.0, -24) * magnitude;
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], bound) << to_string(isa) << " at " << i;
  }
}

TEST(CpuConv, ExactTakesNoWinograd) {
  for (const Isa isa : isas()) {
    const auto exec = Executable::prepare(network(), {.isa = isa, .exact = true});
    ASSERT_TRUE(exec.has_value()) << exec.error().message;
    for (const NodeChoice& choice : (*exec)->choices()) EXPECT_EQ(choice.impl.find("winograd"), choice.impl.npos);
    EXPECT_EQ(testing::outputs_of(network(), {.isa = isa, .exact = true}),
              testing::outputs_of(network(), {.isa = isa, .disabled = {"winograd"}}));
    EXPECT_NE(testing::outputs_of(network(), {.isa = isa}),
              testing::outputs_of(network(), {.isa = isa, .exact = true}));
  }
}

TEST(CpuConv, ThreadsChangeNoBits) {
  const Graph graph = network();
  for (const Isa isa : isas()) {
    const auto one = testing::outputs_of(graph, {.isa = isa, .threads = 1});
    for (const int threads : {2, 3, 5}) {
      EXPECT_EQ(testing::outputs_of(graph, {.isa = isa, .threads = threads}, threads), one)
          << to_string(isa) << ", " << threads << " threads";
    }
  }
}

TEST(CpuConv, ZeroCopyChangesNoBits) {
  const Graph graph = network();
  EXPECT_EQ(testing::outputs_of(graph, {.disabled = {"zero-copy"}}), testing::outputs_of(graph, {}));
}

TEST(CpuConv, WideLayersOfFewChannelsTakeStrips) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 96, 96, 3});
  const ValueId stem = graph.add("stem", conv(3, 8, 3, 2, Activation::relu), {x});
  graph.outputs = {graph.add("head", conv(8, 16, 1, 1, Activation::linear), {stem})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  for (const Isa isa : isas()) {
    for (const std::string kernel : {"strips", "gemm"}) {
      PrepareOptions options{.isa = isa};
      if (kernel == "gemm") options.disabled = {"strips"};
      const auto exec = Executable::prepare(graph, options);
      ASSERT_TRUE(exec.has_value()) << exec.error().message;
      for (const std::size_t node : {1, 2}) {
        EXPECT_EQ((*exec)->choices()[node].impl, text("conv_", kernel, "_", to_string(isa)));
      }
    }
  }
}

TEST(CpuConv, ChoosesByIsaAndSaysWhyNot) {
  for (const Isa isa : isas()) {
    const auto exec = Executable::prepare(network(), {.isa = isa});
    ASSERT_TRUE(exec.has_value()) << exec.error().message;
    for (const NodeChoice& choice : (*exec)->choices()) {
      if (choice.node == "deep") {
        EXPECT_EQ(choice.impl, text("conv_depthwise_", to_string(isa)));
      } else if (choice.node == "stem") {
        EXPECT_EQ(choice.impl, text("conv_strips_", to_string(isa)));
      } else if (choice.node == "grouped") {
        EXPECT_EQ(choice.impl, text("conv_gemm_", to_string(isa)));
        EXPECT_THAT(choice.skipped, Contains(HasSubstr(text("conv_depthwise_", to_string(isa), ": only depthwise"))));
        EXPECT_THAT(choice.skipped, Contains(text("conv_strips_", to_string(isa), ": only groups = 1")));
      }
    }
    EXPECT_EQ((*exec)->fallback_nodes(), 0) << to_string(isa);
  }
}

}  // namespace
}  // namespace tessera
