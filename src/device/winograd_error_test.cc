// Errors of Winograd layers: measured on the inputs that reach them, below the bound, gone with --exact.

#include "device/winograd_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device/device_test.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

Constant noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(random() >> 8) * 0x1p-23f - 1;
  return std::make_shared<const std::vector<float>>(std::move(values));
}

ConvAttrs conv(int ic, int oc, int stride) {
  ConvAttrs out{.oc = oc, .kh = 3, .kw = 3, .sh = stride, .sw = stride, .pad = {1, 1, 1, 1}};
  out.weights = noise(static_cast<std::size_t>(oc * ic * 9), static_cast<unsigned>(oc));
  out.bias = noise(static_cast<std::size_t>(oc), 3);
  return out;
}

/// Two layers whose inputs are joined and kept apart from activations and a sum, one of stride 2, and a 1x1.
Graph network() {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 40, 36, 32});
  const ValueId a = graph.add("a", conv(32, 32, 1), {x});
  const ValueId relu = graph.add("relu", ActivationAttrs{{Activation::relu}}, {a});
  const ValueId b = graph.add("b", conv(32, 32, 1), {relu});
  const ValueId sum = graph.add("sum", AddAttrs{}, {b, relu});
  const ValueId joined = graph.add("joined", ConcatAttrs{}, {sum, relu});
  const ValueId c = graph.add("c", conv(64, 128, 2), {joined});
  ConvAttrs last{.oc = 8, .weights = noise(8 * 128, 9)};
  graph.outputs = {graph.add("d", last, {c})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

std::vector<std::vector<float>> input() {
  const Constant numbers = noise(40 * 36 * 32, 11);
  return {std::vector<float>(numbers->begin(), numbers->end())};
}

std::vector<WinogradError> errors(const PrepareOptions& options, const std::vector<std::vector<float>>& in = input()) {
  ThreadPool pool(2);
  auto out = winograd_errors(network(), options, in, pool);
  EXPECT_TRUE(out.has_value()) << out.error().message;
  return out ? *std::move(out) : std::vector<WinogradError>{};
}

TEST(WinogradErrors, AreMeasuredPerLayerAndBelowTheBound) {
  for (const Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (!CpuInfo::detect().supports(isa)) continue;
    const auto rows = errors({.isa = isa});
    ASSERT_GE(rows.size(), 2u) << to_string(isa);
    EXPECT_EQ(rows[0].node, "a");
    EXPECT_EQ(rows[1].node, "b");
    for (const WinogradError& row : rows) {
      EXPECT_THAT(row.impl, HasSubstr("winograd"));
      EXPECT_THAT(row.plain, HasSubstr("conv_gemm_"));
      EXPECT_GT(row.worst, 0) << row.node;
      EXPECT_TRUE(row.within()) << row.node << ": " << row.worst << ", bound " << row.bound;
      EXPECT_GT(row.largest, row.bound) << row.node << ": a bound that says something";
      EXPECT_GT(row.plain_worst, 0) << row.node;
      EXPECT_LT(row.plain_worst, row.bound) << row.node;
    }
  }
}

TEST(WinogradErrors, StrideTwoToo) {
  PrepareOptions options{.isa = Isa::none, .chosen = {{"c", "", "conv_winograd_stride2_scalar"}}};
  const auto rows = errors(options);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back().node, "c");
  EXPECT_TRUE(rows.back().within());
}

TEST(WinogradErrors, NoneWithoutWinograd) {
  EXPECT_TRUE(errors({.exact = true}).empty());
  EXPECT_TRUE(errors({.device = "reference"}).empty());
}

TEST(WinogradErrors, WhatExceedsTheBoundOrIsNoNumberIsNotWithin) {
  EXPECT_FALSE((WinogradError{.worst = 2, .bound = 1}).within());
  EXPECT_FALSE((WinogradError{.worst = std::nan(""), .bound = 1}).within());
  auto in = input();
  in[0][5000] = std::numeric_limits<float>::infinity();
  const auto rows = errors({}, in);
  ASSERT_FALSE(rows.empty());
  EXPECT_FALSE(rows[0].within()) << "infinity makes NaN where the sum has none";
}

TEST(WinogradErrors, InputsMustFit) {
  ThreadPool pool(1);
  EXPECT_THAT(winograd_errors(network(), {}, {}, pool).error().message, HasSubstr("0 inputs, the graph wants 1"));
}

}  // namespace
}  // namespace tessera
