// The checks of execute and Context::create: codes, both sides of bounds, nothing written on error.

#include <gtest/gtest.h>

#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/random_case.h"

namespace tessera::boxdecode::testing {
namespace {

// The stats and the outputs are left alone when a binding is refused.
TEST(BoxDecodeBindings, NothingIsWrittenOnError) {
  Bound bound(yolo_v4_case());
  bound.poison(std::byte{0x77});
  ExecStats stats{7, 8, true};
  const ImageSize bad[] = {{0, 1}};
  ASSERT_FALSE(execute(bound.context, {bound.inputs, bound.outputs, bad}, &stats));
  for (const auto& bytes : bound.output_bytes) {
    for (const std::byte b : bytes) ASSERT_EQ(b, std::byte{0x77});
  }
  EXPECT_EQ(stats.candidates_seen, 7u);
}

TEST(BoxDecodeBindings, BindingsAreChecked) {
  Bound bound(yolo_v4_case());
  const auto expect = [&](const Bindings& bindings, ErrorCode code) {
    const Status status = execute(bound.context, bindings);
    ASSERT_FALSE(status) << to_string(code);
    EXPECT_EQ(status.error().code, code) << to_string(status.error());
    EXPECT_NE(to_string(status.error()).find(to_string(code)), std::string::npos);
  };
  const auto with_input = [&](std::span<const std::byte> input, ErrorCode code) {
    auto inputs = bound.inputs;
    inputs[1] = input;
    expect({inputs, bound.outputs}, code);
  };
  const auto with_output = [&](std::span<std::byte> output, ErrorCode code) {
    auto outputs = bound.outputs;
    outputs[2] = output;
    expect({bound.inputs, outputs}, code);
  };
  const auto first = [](auto span) { return span.first(span.size() - 1); };
  expect({std::span(bound.inputs).first(2), bound.outputs}, ErrorCode::BindingCountMismatch);
  expect({bound.inputs, std::span(bound.outputs).first(3)}, ErrorCode::BindingCountMismatch);
  const ImageSize two[] = {{1, 1}, {1, 1}};
  expect({bound.inputs, bound.outputs, two}, ErrorCode::BindingCountMismatch);
  with_input({}, ErrorCode::BindingNull);
  with_output({}, ErrorCode::BindingNull);
  with_input(first(bound.inputs[1]), ErrorCode::BindingTooSmall);
  with_output(first(bound.outputs[2]), ErrorCode::BindingTooSmall);
  std::vector<std::byte> spare(1 << 16);
  with_input(std::span(spare).subspan(1), ErrorCode::BindingMisaligned);
  with_output(std::span(spare).subspan(2), ErrorCode::BindingMisaligned);
  with_output(bound.workspace.span(), ErrorCode::BindingOverlap);
  with_output(bound.outputs[0], ErrorCode::BindingOverlap);
  auto inputs = bound.inputs;
  inputs[0] = spare;
  auto outputs = bound.outputs;
  outputs[1] = std::span(spare).subspan(64);
  expect({inputs, outputs}, ErrorCode::BindingOverlap);
  for (const ImageSize size : {ImageSize{0, 1}, ImageSize{1, 0}, ImageSize{1'048'577, 1}, ImageSize{1, 1'048'577}}) {
    expect({bound.inputs, bound.outputs, std::span(&size, 1)}, ErrorCode::InvalidOriginalSize);
  }
  const ImageSize largest{1'048'576, 1};
  EXPECT_TRUE(execute(bound.context, {bound.inputs, bound.outputs, std::span(&largest, 1)}));
}

TEST(BoxDecodeBindings, AdjacentAndSharedBindingsAreAccepted) {
  const Case c = yolo_v4_case();
  Bound bound(c);
  // All outputs in one block, back to back; two inputs that are the same memory.
  std::vector<std::byte> block(8 * 16 + 8 * 4 + 8 * 4 + 4);
  std::vector<std::span<std::byte>> outputs;
  std::size_t at = 0;
  for (std::size_t i = 0; i < 4; at += bound.plan.output_bytes(i), ++i) {
    outputs.push_back(std::span(block).subspan(at, bound.plan.output_bytes(i)));
  }
  auto inputs = bound.inputs;
  inputs[1] = inputs[0];
  EXPECT_TRUE(execute(bound.context, {inputs, outputs}));
}

TEST(BoxDecodeBindings, WorkspaceIsChecked) {
  const Plan plan = check_inference(yolo_v4_case().request()).value();
  std::vector<std::byte> memory(plan.workspace_bytes() + 128);
  Workspace good(plan.workspace_bytes());
  EXPECT_TRUE(Context::create(plan, good.span()));
  const auto small = Context::create(plan, good.span().first(plan.workspace_bytes() - 1));
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, ErrorCode::WorkspaceTooSmall);
  EXPECT_EQ(Context::create(plan, {}).error().code, ErrorCode::WorkspaceTooSmall);
  Workspace larger(plan.workspace_bytes() + 8);
  const auto crooked = Context::create(plan, larger.span().subspan(8));
  ASSERT_FALSE(crooked);
  EXPECT_EQ(crooked.error().code, ErrorCode::WorkspaceMisaligned);
}

TEST(BoxDecodeBindings, WorkspaceStaysUnderTheStatedBound) {
  SeededChoices choices(6);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 500; ++i) {
    const Case c = random_case(choices);
    const Plan plan = check_inference(c.request()).value();
    const Params& p = c.params;
    std::int64_t slots = 0, cells = 0;
    for (std::size_t head = 0; head < c.params.heads.size(); ++head) {
      const bool combined = p.heads[head].kind == Head::Kind::Combined;
      const std::int32_t port = combined ? p.heads[head].combined_port : p.heads[head].score_port;
      const TensorSpec& spec = c.inputs[static_cast<std::size_t>(port)];
      const int last = spec.shape.rank() - 1;
      const std::int64_t hw = spec.shape[last - 2] * spec.shape[last - 1];
      slots += hw * (combined ? spec.shape[last] / (p.num_classes + 5) : 1);
      cells = std::max(cells, hw);
    }
    std::int64_t capacity = slots / (p.mosaic.rows * p.mosaic.cols) * (p.multi_label ? p.num_classes : 1);
    const std::int64_t limit = p.candidate_limit.value_or(p.multi_label ? 30'000 : 0);
    if (limit != 0) capacity = std::min(capacity, limit);
    EXPECT_LE(static_cast<std::int64_t>(plan.workspace_bytes()), 65'536 + 64 * capacity + 4 * cells);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
