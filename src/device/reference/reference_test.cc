// The oracle against numbers worked out by hand (exact) and against the formulas' known values.

#include "device/reference/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device_test.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::ElementsAre;

using Values = std::vector<float>;
struct Input {
  Shape shape;
  Values values;
};

// Runs one operator with all passes off, so that it is this operator's loop that runs.
Values run(Attrs attrs, const std::vector<Input>& inputs) {
  Graph graph;
  std::vector<ValueId> ids;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    ids.push_back(graph.add_input("x" + std::to_string(i), inputs[i].shape));
  graph.outputs = {graph.add("y", std::move(attrs), ids)};
  const auto status = infer_shapes(graph);
  EXPECT_TRUE(status.has_value()) << status.error().message;
  const auto exec = Executable::prepare(
      graph, {.device = "reference", .disabled = {"fold-batch-norm", "drop-identities", "zero-copy"}});
  EXPECT_TRUE(exec.has_value()) << exec.error().message;
  auto context = ExecutionContext::create(*exec, 1);
  ThreadPool pool(1);
  for (std::size_t i = 0; i < inputs.size(); ++i) testing::fill(context->input(i), inputs[i].values);
  context->run(pool);
  return testing::read(context->output(0));
}

TEST(Reference, ConvWithPaddingStrideAndBias) {
  // 3x3 of ones over 1..9, padded: sums of the neighbourhoods of the corners.
  const Input x{{1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  ConvAttrs conv{.oc = 1, .kh = 3, .kw = 3, .sh = 2, .sw = 2, .pad = {1, 1, 1, 1}, .weights = constant(Values(9, 1))};
  EXPECT_THAT(run(conv, {x}), ElementsAre(12, 16, 24, 28));
  conv.bias = constant({100});
  EXPECT_THAT(run(conv, {x}), ElementsAre(112, 116, 124, 128));
}

TEST(Reference, ConvWeightsAreOutputInputRowColumn) {
  // One output pixel, so the tap (ic, ky, kx) meets the input (ky, kx, ic): weights of powers of ten read them off.
  const Input x{{1, 1, 2, 2}, {1, 2, 3, 4}};  // pixel 0: channels 1 2; pixel 1: channels 3 4
  EXPECT_THAT(run(ConvAttrs{.oc = 2, .kw = 2, .weights = constant({1, 10, 100, 1000, 0, 0, 0, 1})}, {x}),
              ElementsAre(1 + 30 + 200 + 4000, 4));
}

TEST(Reference, ConvGroupsAndDilation) {
  const Input x{{1, 1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  // Two groups of two channels: output 0 sees channels 0 and 1, output 1 sees 2 and 3; taps two pixels apart.
  ConvAttrs conv{.oc = 2, .kw = 2, .dw = 2, .groups = 2, .weights = constant({1, 10, 100, 1000, 1, 10, 100, 1000})};
  EXPECT_THAT(run(conv, {x}), ElementsAre(1 + 90 + 200 + 10000, 3 + 110 + 400 + 12000));
}

TEST(Reference, ConvEpilogueInItsOrder) {
  const Input x{{1, 1, 2, 1}, {1, -3}}, r{{1, 1, 2, 1}, {-5, 4}};
  ConvAttrs conv{.oc = 1, .weights = constant({2}), .bias = constant({1})};
  conv.epilogue = {{Activation::relu}, true, {Activation::leaky, 0.5f}};
  // relu(3) - 5 = -2, halved; relu(-5) + 4 = 4.
  EXPECT_THAT(run(conv, {x, r}), ElementsAre(-1, 4));
}

TEST(Reference, BatchNorm) {
  const BatchNormAttrs norm{constant({2, 3}), constant({10, 20}), constant({1, 2}), constant({3, 0}), 1.0f};
  EXPECT_THAT(run(norm, {{{1, 1, 2, 2}, {1, 2, 3, 4}}}), ElementsAre(10, 20, 12, 26));
}

TEST(Reference, AddAndMul) {
  const Input a{{1, 1, 2, 2}, {1, 2, 3, 4}}, b{{1, 1, 2, 2}, {10, 20, 30, -40}};
  EXPECT_THAT(run(AddAttrs{{Activation::relu}}, {a, b, a}), ElementsAre(12, 24, 36, 0));
  EXPECT_THAT(run(MulAttrs{{Activation::relu}}, {a, b}), ElementsAre(10, 40, 90, 0));
  EXPECT_THAT(run(MulAttrs{}, {a, {{1, 1, 1, 2}, {2, 3}}}), ElementsAre(2, 6, 6, 12));
  EXPECT_THAT(run(MulAttrs{}, {a, {{1, 1, 2, 1}, {2, 3}}}), ElementsAre(2, 4, 9, 12));
}

TEST(Reference, ConcatSliceIdentity) {
  const Input a{{2, 1, 1, 1}, {1, 2}}, b{{2, 1, 1, 2}, {3, 4, 5, 6}};
  EXPECT_THAT(run(ConcatAttrs{}, {a, b, a}), ElementsAre(1, 3, 4, 1, 2, 5, 6, 2));
  EXPECT_THAT(run(SliceAttrs{1, 1}, {b}), ElementsAre(4, 6));
  EXPECT_THAT(run(IdentityAttrs{}, {b}), ElementsAre(3, 4, 5, 6));
}

TEST(Reference, PoolsLeavePaddingOut) {
  const Input x{{1, 2, 3, 1}, {-1, -2, -3, -4, -5, -6}};
  const Padding same{1, 1, 1, 1};
  EXPECT_THAT(run(PoolAttrs{PoolAttrs::Kind::max, 3, 3, 1, 1, same}, {x}), ElementsAre(-1, -1, -2, -1, -1, -2));
  EXPECT_THAT(run(PoolAttrs{PoolAttrs::Kind::average, 3, 3, 1, 1, same}, {x}), ElementsAre(-3, -3.5, -4, -3, -3.5, -4));
  EXPECT_THAT(run(PoolAttrs{PoolAttrs::Kind::max, 2, 2, 2, 2, {0, 0, 0, 1}}, {x}), ElementsAre(-1, -3));
  EXPECT_THAT(run(GlobalAveragePoolAttrs{}, {x}), ElementsAre(-3.5));
}

TEST(Reference, Upsample) {
  EXPECT_THAT(run(UpsampleAttrs{2, 2, 0.5f}, {{{1, 1, 2, 1}, {2, 4}}}), ElementsAre(1, 1, 2, 2, 1, 1, 2, 2));
}

TEST(Reference, SoftmaxOfEqualAndHugeLogits) {
  EXPECT_THAT(run(SoftmaxAttrs{}, {{{1, 1, 2, 2}, {3, 3, 1000, -1000}}}), ElementsAre(0.5, 0.5, 1, 0));
}

}  // namespace
}  // namespace tessera
