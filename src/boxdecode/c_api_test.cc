// The C interface gives what the C++ one gives, for random problems of every kind.

#include <gtest/gtest.h>
#include <tessera_boxdecode.h>

#include <cstring>
#include <new>

#include "boxdecode/testing/c_case.h"
#include "boxdecode/testing/random_case.h"
#include "boxdecode/testing/rules.h"
#include "count_allocations.h"

namespace tessera::boxdecode::testing {
namespace {

TEST(BoxDecodeC, SameBitsAsCpp) {
  SeededChoices choices(77);
  std::size_t routes = 0, errors = 0;
  std::uint64_t seen = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(choices.where() + " case " + std::to_string(i));
    Case c = random_case(choices);
    if (choices.one_in(8)) c.params.max_detections = 0;  // refused: the same error then
    const auto want = run(c);
    const COutcome got = run_in_c(c);
    ASSERT_EQ(got.error.code == TESSERA_BD_OK, want.has_value());
    if (!want) {
      ++errors;
      EXPECT_EQ(message_of(got.error), to_string(want.error()));
      continue;
    }
    EXPECT_EQ(difference(got.outcome, *want), "");
    const auto plan = check_inference(c.request());
    ASSERT_EQ(got.routes.size(), plan->head_count());
    for (std::size_t head = 0; head < got.routes.size(); ++head, ++routes) {
      EXPECT_EQ(got.routes[head], to_string(plan->route(head)));
      EXPECT_EQ(got.cutoffs[head].score, plan->cutoffs(head).score);
      EXPECT_EQ(got.cutoffs[head].objectness, plan->cutoffs(head).objectness);
    }
    seen += want->stats.candidates_seen;
  }
  EXPECT_GT(routes, 100u);  // nothing compared would be no test
  EXPECT_GT(errors, 0u);
  EXPECT_GT(seen, 0u);
}

TEST(BoxDecodeC, TellsSizesAndAlignments) {
  const Case c = bf16_case();
  const CCase in_c(c);
  const auto plan = check_inference(c.request()).value();
  tessera_bd_plan* handle = nullptr;
  ASSERT_EQ(in_c.prepare(&handle, nullptr), TESSERA_BD_OK);
  for (std::size_t i = 0; i < 5; ++i) {
    const std::size_t input_alignment = i < c.inputs.size() ? plan.input_alignment(i) : 0;
    const std::size_t output_alignment = i < c.outputs.size() ? plan.output_alignment(i) : 0;
    EXPECT_EQ(tessera_bd_input_bytes(handle, i), plan.input_bytes(i));
    EXPECT_EQ(tessera_bd_output_bytes(handle, i), plan.output_bytes(i));
    EXPECT_EQ(tessera_bd_input_alignment(handle, i), input_alignment);
    EXPECT_EQ(tessera_bd_output_alignment(handle, i), output_alignment);
  }
  EXPECT_EQ(tessera_bd_workspace_bytes(handle), plan.workspace_bytes());
  EXPECT_EQ(tessera_bd_workspace_alignment(handle), 64u);
  EXPECT_EQ(tessera_bd_image_count(handle), 1u);
  EXPECT_EQ(tessera_bd_scanner(handle), plan.scanner());
  EXPECT_STREQ(tessera_bd_route(handle, 3), "");
  EXPECT_EQ(tessera_bd_plan_cutoffs(handle, 3).score, 0);
  tessera_bd_plan_free(handle);
}

TEST(BoxDecodeC, ContextOutlivesItsPlan) {
  const Case c = yolo_v4_case();
  const CCase in_c(c);
  tessera_bd_plan* plan = nullptr;
  ASSERT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_OK);
  Workspace workspace(tessera_bd_workspace_bytes(plan));
  tessera_bd_context* context = nullptr;
  const auto span = workspace.span();
  ASSERT_EQ(tessera_bd_context_create(plan, span.data(), span.size(), &context, nullptr), TESSERA_BD_OK);
  CBuffers buffers(c, plan);
  tessera_bd_plan_free(plan);
  EXPECT_EQ(buffers.execute(context, nullptr), TESSERA_BD_OK);
  tessera_bd_context_free(context);
}

TEST(BoxDecodeC, ExecuteDoesNotAllocate) {
  const Case c = yolo_v4_case();
  const CCase in_c(c);
  tessera_bd_plan* plan = nullptr;
  ASSERT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_OK);
  Workspace workspace(tessera_bd_workspace_bytes(plan));
  tessera_bd_context* context = nullptr;
  const auto span = workspace.span();
  ASSERT_EQ(tessera_bd_context_create(plan, span.data(), span.size(), &context, nullptr), TESSERA_BD_OK);
  CBuffers buffers(c, plan);
  const long before = test::allocation_count();
  EXPECT_EQ(buffers.execute(context, nullptr), TESSERA_BD_OK);
  EXPECT_EQ(test::allocation_count(), before);
  tessera_bd_context_free(context);
  tessera_bd_plan_free(plan);
}

TEST(BoxDecodeC, InitFillsInTheDefaultsOfCpp) {
  tessera_bd_params params;
  std::memset(&params, 0xFF, sizeof params);
  tessera_bd_params_init(&params, sizeof params);
  const tessera_bd_params want = c_params(Params{});
  EXPECT_EQ(std::memcmp(&params, &want, sizeof params), 0);
  tessera_bd_params_init(nullptr, sizeof params);  // nothing to fill

  struct Short {
    std::size_t struct_size;
    std::size_t beyond = 7;
  } older;  // a caller that knows a shorter struct: nothing behind it is written
  tessera_bd_params_init(reinterpret_cast<tessera_bd_params*>(&older), sizeof older.struct_size);
  EXPECT_EQ(older.struct_size, sizeof older.struct_size);
  EXPECT_EQ(older.beyond, 7u);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
