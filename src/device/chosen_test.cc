// Choices taken again, and what is said where they do not fit.

#include "device/chosen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "device/device_test.h"

namespace tessera {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Graph two_convs(int size) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, size, size, 32});
  ConvAttrs conv{.oc = 32,
                 .kh = 3,
                 .kw = 3,
                 .pad = {1, 1, 1, 1},
                 .weights = std::make_shared<const std::vector<float>>(32 * 32 * 9, 1.0f)};
  graph.outputs = {graph.add("b", conv, {graph.add("a", conv, {x})})};
  EXPECT_TRUE(infer_shapes(graph).has_value());
  return graph;
}

constexpr const char* kOf = "conv 3x3 s1, 1x28x28x32 -> 1x28x28x32";

std::string error_of(const KernelChoice& choice, PrepareOptions options = {}) {
  options.chosen = {choice};
  const auto exec = Executable::prepare(two_convs(28), options);
  return exec ? "no error" : exec.error().message;
}

TEST(Chosen, IsTakenAndTheOthersAsUsual) {
  const auto exec = Executable::prepare(two_convs(28), {.isa = Isa::none, .chosen = {{"b", kOf, "conv_gemm_scalar"}}});
  ASSERT_TRUE(exec.has_value()) << exec.error().message;
  EXPECT_EQ((*exec)->choices()[1].impl, "conv_winograd_scalar");
  EXPECT_EQ((*exec)->choices()[2].impl, "conv_gemm_scalar");
}

TEST(Chosen, NeedNotBeWhatTheModelExpectsToBeFast) {
  const auto exec =
      Executable::prepare(two_convs(28), {.isa = Isa::none, .chosen = {{"a", "", "conv_winograd_f2_scalar"}}});
  ASSERT_TRUE(exec.has_value()) << exec.error().message;
  EXPECT_EQ((*exec)->choices()[1].impl, "conv_winograd_f2_scalar");
}

TEST(Chosen, ForcedKernelsComeFirst) {
  const auto exec = Executable::prepare(
      two_convs(28), {.forced_kernels = {{"conv", "naive"}}, .chosen = {{"b", kOf, "conv_gemm_scalar"}}});
  ASSERT_TRUE(exec.has_value()) << exec.error().message;
  EXPECT_EQ((*exec)->choices()[2].impl, "conv_reference");
}

TEST(Chosen, WhatDoesNotFitIsRefusedByName) {
  EXPECT_EQ(
      error_of({"c", kOf, "conv_gemm_scalar"}),
      "choice of conv_gemm_scalar for node 'c': the graph has no such node; want choices saved from this model with "
      "the same passes");
  EXPECT_EQ(
      error_of({"a", "conv 3x3 s1, 1x14x14x32 -> 1x14x14x32", "conv_gemm_scalar"}),
      text("choice of conv_gemm_scalar for node 'a': it is ", kOf,
           ", the choice was made for conv 3x3 s1, 1x14x14x32 -> 1x14x14x32; want choices saved from this model at "
           "this size"));
  EXPECT_THAT(
      error_of({"a", kOf, "conv_fast"}),
      AllOf(HasSubstr("choice of conv_fast for node 'a': device 'cpu' has none of that name for conv; there are "),
            HasSubstr("conv_gemm_scalar")));
  EXPECT_THAT(error_of({"a", kOf, "conv_depthwise_scalar"}),
              AllOf(HasSubstr("choice of conv_depthwise_scalar for node 'a': only "), HasSubstr("want choices saved")));
  EXPECT_THAT(error_of({"a", kOf, "conv_winograd_scalar"}, {.exact = true}), HasSubstr("node 'a': not exact; want"));
  EXPECT_THAT(error_of({"a", kOf, "conv_gemm_scalar"}, {.disabled = {"conv_gemm_scalar"}}),
              HasSubstr("node 'a': disabled"));
}

TEST(Chosen, NodesAreDescribed) {
  Graph graph = two_convs(28);
  EXPECT_EQ(describe_node(graph, graph.nodes[1]), kOf);
  graph = testing::small_graph();
  EXPECT_EQ(describe_node(graph, graph.nodes[1]), "conv 1x1 s1, 1x1x2x1 -> 1x1x2x1");
  EXPECT_EQ(describe_node(graph, graph.nodes[3]), "concat, 1x1x2x1 + 1x1x2x1 -> 1x1x2x2");
}

}  // namespace
}  // namespace tessera
