// Every way in which a call of the C interface can fail, with its code and its message.

#include <gtest/gtest.h>
#include <tessera_boxdecode.h>

#include <functional>
#include <set>

#include "boxdecode/testing/c_case.h"
#include "boxdecode/testing/rules.h"
#include "count_allocations.h"

namespace tessera::boxdecode::testing {
namespace {

using CChange = std::function<void(CCase&)>;

/// A valid case, one change, the message. The plan must stay NULL.
void expect_refused(const Case& c, const CChange& change, std::int32_t code, const std::string& message) {
  CCase in_c(c);
  change(in_c);
  auto* plan = reinterpret_cast<tessera_bd_plan*>(&in_c);
  tessera_bd_error error{};
  EXPECT_EQ(in_c.prepare(&plan, &error), code) << message;
  EXPECT_EQ(error.code, code);
  EXPECT_EQ(message_of(error), message);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(in_c.prepare(&plan, nullptr), code);  // without a place for the error
}

TEST(BoxDecodeCErrors, NullArgumentsOfPrepare) {
  const Case c = yolo_v4_case();
  const CCase good(c);
  tessera_bd_plan* plan = nullptr;
  tessera_bd_error error{};
  const auto* in = good.inputs.data();
  const auto* out = good.outputs.data();
  EXPECT_EQ(tessera_bd_prepare(in, 3, out, 4, &good.params, nullptr, &error), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(message_of(error), "NullArgument: plan: must point to the handle to be set");
  EXPECT_EQ(tessera_bd_prepare(in, 3, out, 4, nullptr, &plan, &error), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(message_of(error), "NullArgument: params: must point to parameters");
  EXPECT_EQ(tessera_bd_prepare(nullptr, 3, out, 4, &good.params, &plan, &error), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(message_of(error), "NullArgument: inputs: must point to input_count tensors");
  EXPECT_EQ(tessera_bd_prepare(in, 3, nullptr, 4, &good.params, &plan, &error), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(message_of(error), "NullArgument: outputs: must point to output_count tensors");
  EXPECT_EQ(tessera_bd_prepare(nullptr, 0, out, 4, &good.params, &plan, &error), TESSERA_BD_PORT_OUT_OF_RANGE);
  EXPECT_EQ(tessera_bd_prepare(in, 3, nullptr, 0, &good.params, &plan, &error), TESSERA_BD_INVALID_OUTPUT_COUNT);
  expect_refused(
      c, [](CCase& k) { k.params.heads = nullptr; }, TESSERA_BD_NULL_ARGUMENT,
      "NullArgument: heads: must point to head_count heads");
  expect_refused(
      grid_case(), [](CCase& k) { k.params.anchor_grid = nullptr; }, TESSERA_BD_NULL_ARGUMENT,
      "NullArgument: anchor_grid: must point to anchor_level_count levels");
}

TEST(BoxDecodeCErrors, StructsThatAreNotAsInitialised) {
  const Case c = yolo_v4_case();
  const std::string size = std::to_string(sizeof(tessera_bd_params));
  expect_refused(
      c, [](CCase& k) { k.params.struct_size = 8; }, TESSERA_BD_INVALID_STRUCT,
      "InvalidStruct: params struct_size is 8, wanted " + size + ": call tessera_bd_params_init");
  const std::string zero = ": zero-initialise: reserved members must be 0";
  expect_refused(
      c, [](CCase& k) { k.params.reserved = 1; }, TESSERA_BD_INVALID_STRUCT, "InvalidStruct: params" + zero);
  expect_refused(
      c, [](CCase& k) { k.heads[1].reserved = 5; }, TESSERA_BD_INVALID_STRUCT, "InvalidStruct: head [1] is 5" + zero);
  expect_refused(
      c, [](CCase& k) { k.inputs[2].reserved[1] = 9; }, TESSERA_BD_INVALID_STRUCT,
      "InvalidStruct: input [2] is 9" + zero);
  expect_refused(
      c, [](CCase& k) { k.outputs[0].reserved[0] = -1; }, TESSERA_BD_INVALID_STRUCT,
      "InvalidStruct: output [0] is -1" + zero);
}

TEST(BoxDecodeCErrors, NumbersThatAreNoEnumerators) {
  const std::string wish = ": use an enumerator of tessera_boxdecode.h";
  struct Row {
    std::int32_t tessera_bd_params::*member;
    std::int32_t last;
    const char* name;
  };
  const Row rows[] = {{&tessera_bd_params::task, TESSERA_BD_SEGMENTATION, "task"},
                      {&tessera_bd_params::score_activation, TESSERA_BD_SIGMOID, "score_activation"},
                      {&tessera_bd_params::box_encoding, TESSERA_BD_TOP_LEFT_XYWH, "box_encoding"},
                      {&tessera_bd_params::resize, TESSERA_BD_EXPLICIT, "resize"},
                      {&tessera_bd_params::letterbox_anchor, TESSERA_BD_TOP_LEFT, "letterbox_anchor"},
                      {&tessera_bd_params::rank_rule, TESSERA_BD_RANK_POWER_HALF_125, "rank_rule"}};
  for (const Row& row : rows) {
    for (const std::int32_t bad : {-1, row.last + 1, 256}) {
      expect_refused(
          yolo_v4_case(), [&](CCase& k) { k.params.*row.member = bad; }, TESSERA_BD_INVALID_ENUM,
          std::string("InvalidEnum: ") + row.name + " is " + std::to_string(bad) + wish);
    }
  }
  expect_refused(
      yolo_v4_case(), [](CCase& k) { k.heads[2].kind = 3; }, TESSERA_BD_INVALID_ENUM,
      "InvalidEnum: head kind [2] is 3" + wish);
  expect_refused(
      grid_case(), [](CCase& k) { k.levels[0].formula = 2; }, TESSERA_BD_INVALID_ENUM,
      "InvalidEnum: anchor_grid formula [0] is 2" + wish);
  const std::string tensors = ": use enumerators of tessera_boxdecode.h for dtype and layout";
  expect_refused(
      yolo_v4_case(), [](CCase& k) { k.inputs[1].dtype = 7; }, TESSERA_BD_INVALID_ENUM,
      "InvalidEnum: input [1] is 7" + tensors);
  expect_refused(
      yolo_v4_case(), [](CCase& k) { k.outputs[1].layout = -1; }, TESSERA_BD_INVALID_ENUM,
      "InvalidEnum: output [1] is -1" + tensors);
}

TEST(BoxDecodeCErrors, WhatCppTypesCannotHoldIsRefusedInItsPlace) {
  for (const std::int32_t profile : {-1, 14, 256 + TESSERA_BD_YOLOV4_V1}) {
    CCase in_c(yolo_v4_case());
    in_c.params.profile = profile;
    tessera_bd_plan* plan = nullptr;
    EXPECT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_UNSUPPORTED_PROFILE) << profile;
    in_c.params.max_detections = 0;  // an earlier rule still comes first
    EXPECT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_INVALID_CAPACITY) << profile;
  }
  for (const std::int32_t rank : {-3, 0, 2, 7, 1 << 30}) {
    CCase in_c(yolo_v4_case());
    in_c.inputs[1].rank = rank;
    tessera_bd_plan* plan = nullptr;
    EXPECT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_INVALID_RANK) << rank;
  }
  for (const std::int32_t count : {-1, 0, 17}) {
    CCase in_c(grid_case());
    in_c.levels[0].anchor_count = count;
    tessera_bd_plan* plan = nullptr;
    EXPECT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_INVALID_ANCHOR_GRID) << count;
  }
}

TEST(BoxDecodeCErrors, ContextCreate) {
  const CCase in_c(yolo_v4_case());
  tessera_bd_plan* plan = nullptr;
  ASSERT_EQ(in_c.prepare(&plan, nullptr), TESSERA_BD_OK);
  Workspace workspace(tessera_bd_workspace_bytes(plan) + 64);
  std::byte* bytes = workspace.span().data();
  const std::size_t need = tessera_bd_workspace_bytes(plan);
  tessera_bd_context* context = nullptr;
  tessera_bd_error error{};
  EXPECT_EQ(tessera_bd_context_create(plan, bytes, need, nullptr, &error), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(tessera_bd_context_create(nullptr, bytes, need, &context, &error), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(tessera_bd_context_create(plan, nullptr, need, &context, &error), TESSERA_BD_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(tessera_bd_context_create(plan, bytes, need - 1, &context, &error), TESSERA_BD_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(error.got, static_cast<std::int64_t>(need) - 1);
  EXPECT_EQ(error.wanted, static_cast<std::int64_t>(need));
  EXPECT_EQ(tessera_bd_context_create(plan, bytes + 1, need, &context, &error), TESSERA_BD_WORKSPACE_MISALIGNED);
  EXPECT_EQ(context, nullptr);
  tessera_bd_plan_free(plan);
}

class BoxDecodeCExecute : public ::testing::Test {
 protected:
  void SetUp() override {
    const CCase in_c(case_);
    ASSERT_EQ(in_c.prepare(&plan_, nullptr), TESSERA_BD_OK);
    workspace_.emplace(tessera_bd_workspace_bytes(plan_));
    const auto span = workspace_->span();
    ASSERT_EQ(tessera_bd_context_create(plan_, span.data(), span.size(), &context_, nullptr), TESSERA_BD_OK);
    buffers_.emplace(case_, plan_);
  }
  void TearDown() override {
    tessera_bd_context_free(context_);
    tessera_bd_plan_free(plan_);
  }
  /// Fails with `code` and writes nothing.
  void expect_refused(std::int32_t code) {
    const auto before = buffers_->bytes;
    tessera_bd_error error{};
    EXPECT_EQ(buffers_->execute(context_, &error), code) << message_of(error);
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(buffers_->bytes, before);
  }

  Case case_ = yolo_v4_case();
  tessera_bd_plan* plan_ = nullptr;
  tessera_bd_context* context_ = nullptr;
  std::optional<Workspace> workspace_;
  std::optional<CBuffers> buffers_;
};

TEST_F(BoxDecodeCExecute, NullArguments) {
  auto& b = *buffers_;
  const auto call = [&](tessera_bd_context* context, const tessera_bd_input* in, const tessera_bd_output* out,
                        std::size_t sizes) {
    return tessera_bd_execute(context, in, 3, out, 4, nullptr, sizes, nullptr, nullptr);
  };
  EXPECT_EQ(call(nullptr, b.inputs.data(), b.outputs.data(), 0), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(call(context_, nullptr, b.outputs.data(), 0), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(call(context_, b.inputs.data(), nullptr, 0), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(call(context_, b.inputs.data(), b.outputs.data(), 1), TESSERA_BD_NULL_ARGUMENT);
  EXPECT_EQ(call(context_, b.inputs.data(), b.outputs.data(), 0), TESSERA_BD_OK);  // stats and error may be NULL
}

TEST_F(BoxDecodeCExecute, Counts) {
  buffers_->inputs.resize(1000);
  expect_refused(TESSERA_BD_BINDING_COUNT_MISMATCH);
  buffers_->inputs.resize(2);
  expect_refused(TESSERA_BD_BINDING_COUNT_MISMATCH);
  buffers_.emplace(case_, plan_).outputs.resize(9);
  expect_refused(TESSERA_BD_BINDING_COUNT_MISMATCH);
  buffers_.emplace(case_, plan_).sizes.resize(65, {1, 1});
  expect_refused(TESSERA_BD_BINDING_COUNT_MISMATCH);
}

TEST_F(BoxDecodeCExecute, Buffers) {
  const auto fresh = [&]() -> CBuffers& { return buffers_.emplace(case_, plan_); };
  fresh().inputs[1].data = nullptr;
  expect_refused(TESSERA_BD_BINDING_NULL);
  fresh().outputs[2].data = nullptr;
  expect_refused(TESSERA_BD_BINDING_NULL);
  fresh().inputs[0].bytes -= 1;
  expect_refused(TESSERA_BD_BINDING_TOO_SMALL);
  {
    auto& input = fresh().inputs[2];
    std::vector<std::byte> room(input.bytes + 8);
    input = {room.data() + 1, input.bytes};
    expect_refused(TESSERA_BD_BINDING_MISALIGNED);
  }
  fresh();
  buffers_->outputs[1].data = buffers_->outputs[0].data;
  expect_refused(TESSERA_BD_BINDING_OVERLAP);
  fresh().sizes = {{1, 0}};
  expect_refused(TESSERA_BD_INVALID_ORIGINAL_SIZE);
}

TEST(BoxDecodeCErrors, NullHandlesHaveNoSizes) {
  EXPECT_EQ(tessera_bd_input_bytes(nullptr, 0), 0u);
  EXPECT_EQ(tessera_bd_input_alignment(nullptr, 0), 0u);
  EXPECT_EQ(tessera_bd_output_bytes(nullptr, 0), 0u);
  EXPECT_EQ(tessera_bd_output_alignment(nullptr, 0), 0u);
  EXPECT_EQ(tessera_bd_workspace_bytes(nullptr), 0u);
  EXPECT_EQ(tessera_bd_workspace_alignment(nullptr), 0u);
  EXPECT_EQ(tessera_bd_head_count(nullptr), 0u);
  EXPECT_EQ(tessera_bd_image_count(nullptr), 0u);
  EXPECT_STREQ(tessera_bd_route(nullptr, 0), "");
  EXPECT_STREQ(tessera_bd_scanner(nullptr), "");
  EXPECT_EQ(tessera_bd_plan_cutoffs(nullptr, 0).score, 0);
  tessera_bd_plan_free(nullptr);
  tessera_bd_context_free(nullptr);
}

TEST(BoxDecodeCErrors, MessagesFitTheBuffer) {
  const tessera_bd_error error{TESSERA_BD_CHANNEL_MISMATCH, 1, "input channels", "slots", 20, 21};
  const std::string line = "ChannelMismatch: input channels [1] is 20, wanted 21: slots";
  for (std::size_t size = 0; size <= line.size() + 2; ++size) {
    std::string buffer(line.size() + 4, '#');
    EXPECT_EQ(tessera_bd_error_message(&error, buffer.data(), size), line.size());
    const std::size_t kept = size == 0 ? 0 : std::min(size - 1, line.size());
    EXPECT_EQ(buffer.substr(0, kept), line.substr(0, kept));
    EXPECT_EQ(buffer[size == 0 ? 0 : kept], size == 0 ? '#' : '\0');
    EXPECT_EQ(buffer.substr(size), std::string(buffer.size() - size, '#')) << "written beyond " << size;
  }
  EXPECT_EQ(tessera_bd_error_message(nullptr, nullptr, 0), 0u);
  EXPECT_EQ(message_of({TESSERA_BD_OK, -1, nullptr, nullptr, 0, 0}), "Ok");
  EXPECT_EQ(message_of({-5, -1, nullptr, nullptr, TESSERA_BD_NO_VALUE, 3}), "unknown: : wanted 3: ");
}

TEST(BoxDecodeCErrors, EveryCodeHasItsNumberAndName) {
  std::set<std::string> names;
  for (int code = -1; code <= 400; ++code) names.insert(tessera_bd_code_name(code));
  // 53 rules, 4 codes of this interface, "Ok", "unknown".
  EXPECT_EQ(names.size(), static_cast<std::size_t>(InvalidOriginalSize) + 1 + 4 + 2);
  for (int i = 0; i <= static_cast<int>(InvalidOriginalSize); ++i) {
    EXPECT_TRUE(names.contains(to_string(static_cast<ErrorCode>(i))));
  }
  EXPECT_STREQ(tessera_bd_code_name(TESSERA_BD_INVALID_ORIGINAL_SIZE), "InvalidOriginalSize");
  EXPECT_EQ(tessera_bd_version(), TESSERA_BD_VERSION);
}

TEST(BoxDecodeCErrors, MemoryRunningOutIsACode) {
  const CCase in_c(grid_case());
  tessera_bd_plan* plan = nullptr;
  std::int32_t code = TESSERA_BD_OUT_OF_MEMORY;
  long refused = 0;
  for (; code == TESSERA_BD_OUT_OF_MEMORY; ++refused) {
    tessera_bd_error error{};
    test::fail_allocation_after(refused);
    code = in_c.prepare(&plan, &error);
    test::fail_allocation_after(-1);
    ASSERT_EQ(plan != nullptr, code == TESSERA_BD_OK);
    ASSERT_LT(refused, 1000);
  }
  EXPECT_EQ(code, TESSERA_BD_OK);
  EXPECT_GT(refused, 3);
  Workspace workspace(tessera_bd_workspace_bytes(plan));
  const auto span = workspace.span();
  tessera_bd_context* context = nullptr;
  test::fail_allocation_after(0);
  code = tessera_bd_context_create(plan, span.data(), span.size(), &context, nullptr);
  test::fail_allocation_after(-1);
  EXPECT_EQ(code, TESSERA_BD_OUT_OF_MEMORY);
  EXPECT_EQ(context, nullptr);
  tessera_bd_plan_free(plan);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
