// What a whole execution promises: examples, zeroing, no hidden state, no allocation, one run at a time.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/random_case.h"
#include "count_allocations.h"

namespace tessera::boxdecode::testing {
namespace {

/// Logits of one slot of a combined Float32 head.
void put_slot(Case& c, std::size_t port, std::int64_t y, std::int64_t x, std::int64_t slot, std::vector<float> logits) {
  const auto first = slot * (c.params.num_classes + 5);
  for (std::size_t i = 0; i < logits.size(); ++i) c.put(port, y, x, first + static_cast<std::int64_t>(i), logits[i]);
}

// P4 slot 1 of YOLOv5, stretched from 640x640 to 1920x1080.
TEST(BoxDecodeExecute, YoloV5StretchExample) {
  Case c = yolo_v4_case(1);
  c.params.profile = Profile::YoloV5V1;
  c.params.model_input_size = {640, 640};
  c.params.original_image_size = {1920, 1080};
  for (int i = 0; i < 3; ++i) c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Float32, 80 >> i, 80 >> i, 18);
  c.fit_bytes(std::byte{0xC3});  // -390: background
  put_slot(c, 1, 4, 3, 1, {0.5f, -0.25f, 1, -1, 2.0f, 1.5f});
  const auto whole = run(c);
  ASSERT_TRUE(whole);
  EXPECT_EQ(ints(whole->outputs[3])[0], 1);
  EXPECT_EQ(bits_of(floats(whole->outputs[1])[0]), 0x3F38599Au);
  const std::vector<std::int32_t> boxes = ints(whole->outputs[0]);
  EXPECT_EQ(std::vector(boxes.begin(), boxes.begin() + 4), (std::vector<std::int32_t>{0, 107, 379, 129}));
  c.fit_outputs(DType::Float32);
  const std::vector<float> real = floats(run(c).value().outputs[0]);
  EXPECT_EQ(real[0], 0.0f);
  EXPECT_EQ(bits_of(real[1]), 0x42D6509Au);  // 107.15742 in eight digits; 63.500698 * 1.6875 rounded once
  EXPECT_EQ(real[2], 378.57025f);
  EXPECT_EQ(real[3], 129.12750f);
  c.params.box_encoding = BoxEncoding::TopLeftXywh;
  EXPECT_EQ(floats(run(c).value().outputs[0])[3], 129.12750f - real[1]);
  c.fit_outputs(DType::Int32);
  EXPECT_EQ(ints(run(c).value().outputs[0])[3], 22);
}

// Objectness reaches the cutoff (raw 20 >= 16) but the product 0.8994 does not reach 0.9.
TEST(BoxDecodeExecute, Int8ProductIsWhatCounts) {
  Case c = yolo_v4_case(11);
  c.params.profile = Profile::YoloV5V1;
  c.params.model_input_size = {256, 256};
  c.params.detection_threshold = 0.9f;
  for (int i = 0; i < 3; ++i) {
    c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Int8, 32 >> i, 32 >> i, 48);
    c.inputs[static_cast<std::size_t>(i)].quant = Quant{0.08f, -12};
  }
  c.fit_bytes(std::byte{0x80});
  const int slot[] = {-5, 14, 3, -30, 20, -128, -128, -128, -128, -128, -128, -128, -128, -128, 31};
  for (int i = 0; i < 15; ++i) c.put_word(2, 2, 5, 16 + i, static_cast<std::uint32_t>(slot[i]));
  EXPECT_EQ(check_inference(c.request()).value().cutoffs(2).objectness, 16);
  EXPECT_EQ(ints(run(c).value().outputs[3])[0], 0);
  c.params.detection_threshold = float_of(0x3F663F4C);  // exactly the product: inclusive
  const Outcome at = run(c).value();
  ASSERT_EQ(ints(at.outputs[3])[0], 1);
  EXPECT_EQ(bits_of(floats(at.outputs[1])[0]), 0x3F663F4Cu);
  EXPECT_EQ(ints(at.outputs[2])[0], 9);
  c.params.detection_threshold = float_of(0x3F663F4D);
  EXPECT_EQ(ints(run(c).value().outputs[3])[0], 0);
}

// A cell belongs to its tile: canvas cell (41, 3) of P3 is local cell (1, 3) of image 2.
TEST(BoxDecodeExecute, MosaicExample) {
  Case c = yolo_v4_case(1);
  c.params.model_input_size = {640, 640};
  c.params.original_image_size = {320, 320};
  c.params.mosaic = {2, 2};
  for (int i = 0; i < 3; ++i) c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Float32, 80 >> i, 80 >> i, 18);
  c.fit_bytes(std::byte{0xC3});
  c.fit_outputs();
  put_slot(c, 0, 41, 3, 0, {0, 0, 0, 0, 8, 8});
  const Outcome whole = run(c).value();
  EXPECT_EQ(ints(whole.outputs[3]), (std::vector<std::int32_t>{0, 0, 1, 0}));
  const std::vector<std::int32_t> boxes = ints(whole.outputs[0]);
  const auto first = boxes.begin() + 2 * 8 * 4;
  EXPECT_EQ(std::vector(first, first + 4), (std::vector<std::int32_t>{22, 4, 34, 20}));
}

// All raw bytes -128 and everything admitted: the class is 0, whatever an earlier run left behind.
TEST(BoxDecodeExecute, AdmitAllGivesClassZero) {
  Case c = yolo_v4_case(3);
  for (int i = 0; i < 3; ++i) {
    c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Int8, 8 >> i, 8 >> i, 24, 32);
    c.inputs[static_cast<std::size_t>(i)].quant = Quant{0.0625f, -128};
  }
  c.params.detection_threshold = 0.0f;
  c.fit_bytes(std::byte{0x80});
  Bound bound(c);
  EXPECT_EQ(bound.plan.cutoffs(0).score, -128);
  bound.poison(std::byte{0xFF});
  ASSERT_TRUE(execute(bound.context, bound.bindings()));
  EXPECT_EQ(ints(bound.output_bytes[3])[0], 8);
  for (const std::int32_t id : ints(bound.output_bytes[2])) EXPECT_EQ(id, 0);
}

TEST(BoxDecodeExecute, NanObjectnessAndNanClassEmitNothing) {
  for (const std::uint32_t nan : {0x7FC00000u, 0xFFC00000u}) {
    Case c = one_head_case(1, 1, 1, 2);
    c.params.detection_threshold = 0.0f;
    put_slot(c, 0, 0, 0, 0, {0, 0, 0, 0, float_of(nan), 1, 1});
    EXPECT_EQ(ints(run(c).value().outputs[3])[0], 0);
    put_slot(c, 0, 0, 0, 0, {0, 0, 0, 0, 1, 1, float_of(nan)});
    // Without sign it outranks class 0 and the slot yields nothing; with sign it is below everything.
    EXPECT_EQ(ints(run(c).value().outputs[3])[0], nan == 0x7FC00000u ? 0 : 1);
    c.params.multi_label = true;  // affects its own class only
    EXPECT_EQ(ints(run(c).value().outputs[3])[0], 1);
  }
}

// Under Identity a factor below T may be lifted by one above 1, and two negative factors make a positive score.
TEST(BoxDecodeExecute, IdentityProductsAreNeverGated) {
  Case c = one_head_case(1, 1, 1, 1);
  c.params.anchor_grid = {AnchorLevel::square({{16, 8}})};
  c.params.score_activation = ScoreActivation::Identity;
  c.params.detection_threshold = 0.3f;
  put_slot(c, 0, 0, 0, 0, {0.5f, 0.5f, 0.5f, 0.5f, 0.25f, 1.5f});
  EXPECT_EQ(floats(run(c).value().outputs[1])[0], 0.375f);
  c.params.detection_threshold = 0.5f;
  put_slot(c, 0, 0, 0, 0, {0.5f, 0.5f, 0.5f, 0.5f, -2.0f, -0.25f});
  EXPECT_EQ(floats(run(c).value().outputs[1])[0], 0.5f);
  c.params.detection_threshold = 0.0f;
  put_slot(c, 0, 0, 0, 0, {0.5f, 0.5f, 0.5f, 0.5f, 0.0f, -1.0f});  // -0 is admitted and reported as +0
  const Outcome zero = run(c).value();
  EXPECT_EQ(ints(zero.outputs[3])[0], 1);
  EXPECT_EQ(bits_of(floats(zero.outputs[1])[0]), 0u);
}

TEST(BoxDecodeExecute, UnusedRowsAreZeroForEveryCount) {
  for (const int count : {0, 1, 3}) {
    Case c = one_head_case(1, 8, 1, 1);
    c.params.max_detections = 3;
    c.fit_outputs();
    for (int i = 0; i < count; ++i) put_slot(c, 0, 0, 2 * i, 0, {0, 0, -1, -1, 9, 9});
    Bound bound(c);
    bound.poison(std::byte{0xFF});
    ASSERT_TRUE(execute(bound.context, bound.bindings()));
    EXPECT_EQ(ints(bound.output_bytes[3])[0], count);
    for (std::size_t output = 0; output < 3; ++output) {
      const auto words = ints(bound.output_bytes[output]);
      const std::size_t row = words.size() / 3;
      for (std::size_t i = static_cast<std::size_t>(count) * row; i < words.size(); ++i) EXPECT_EQ(words[i], 0);
    }
  }
}

TEST(BoxDecodeExecute, EarlierRunsAndContentsDoNotMatter) {
  SeededChoices choices(2);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 300; ++i) {
    Case a = random_case(choices);
    const Outcome want = run(a).value();
    Bound bound(a);
    std::vector<std::vector<std::byte>> b = a.bytes;
    for (auto& bytes : b) {
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(choices.bits());
    }
    const std::vector<std::span<const std::byte>> views_b(b.begin(), b.end());
    ASSERT_TRUE(execute(bound.context, bound.bindings()));
    ASSERT_TRUE(execute(bound.context, {views_b, bound.outputs, bound.sizes}));
    bound.poison(std::byte{0xA5});
    Outcome again;
    ASSERT_TRUE(execute(bound.context, bound.bindings(), &again.stats));
    again.outputs = bound.output_bytes;
    ASSERT_EQ(difference(again, want), "") << "case " << i;
  }
}

TEST(BoxDecodeExecute, AllocatesNothing) {
  SeededChoices choices(3);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 300; ++i) {
    const Case c = random_case(choices);
    Bound bound(c);
    const Bindings bindings = bound.bindings();
    const long before = tessera::test::allocation_count();
    const Status status = execute(bound.context, bindings);
    const long after = tessera::test::allocation_count();
    ASSERT_TRUE(status);
    ASSERT_EQ(after - before, 0) << "case " << i;
    // Refusing allocates nothing either.
    const Bindings bad{bindings.inputs, bindings.outputs.first(3), {}};
    const long before_bad = tessera::test::allocation_count();
    ASSERT_FALSE(execute(bound.context, bad));
    ASSERT_EQ(tessera::test::allocation_count() - before_bad, 0);
  }
  EXPECT_GT(tessera::test::allocation_count(), 0) << "the counter is not in place";
}

TEST(BoxDecodeExecute, ContextsOfOnePlanRunAtOnce) {
  SeededChoices choices(4);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 20; ++i) {
    const Case c = random_case(choices);
    const Outcome want = run(c).value();
    const Plan plan = check_inference(c.request()).value();
    std::atomic<int> wrong{0};
    const auto work = [&] {
      Workspace workspace(plan.workspace_bytes(), std::byte{0x5A});
      Context context = Context::create(plan, workspace.span()).value();
      std::vector<std::vector<std::byte>> bytes;
      for (std::size_t output = 0; output < 4; ++output) bytes.emplace_back(plan.output_bytes(output));
      const std::vector<std::span<std::byte>> outputs(bytes.begin(), bytes.end());
      const auto inputs = c.views();
      for (int round = 0; round < 20; ++round) {
        if (!execute(context, {inputs, outputs, c.original_sizes}) || bytes != want.outputs) ++wrong;
      }
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(wrong.load(), 0) << "case " << i;
  }
}

// Two threads on one context: each call either succeeds or says ContextBusy; the context works afterwards.
TEST(BoxDecodeExecute, BusyContextIsRefusedWithoutWaiting) {
  Case c = one_head_case(64, 64, 3, 8);
  c.params.detection_threshold = 0.0f;
  Bound bound(c);
  std::vector<std::vector<std::byte>> bytes = bound.output_bytes;
  const std::vector<std::span<std::byte>> other_outputs(bytes.begin(), bytes.end());
  std::atomic<bool> stop{false};
  std::atomic<int> busy{0}, unexpected{0};
  std::thread other([&] {
    while (!stop) {
      const Status status = execute(bound.context, {bound.inputs, other_outputs});
      if (!status) (status.error().code == ErrorCode::ContextBusy ? busy : unexpected)++;
    }
  });
  for (int i = 0; i < 100'000 && busy == 0; ++i) {
    const Status status = execute(bound.context, bound.bindings());
    if (!status) (status.error().code == ErrorCode::ContextBusy ? busy : unexpected)++;
  }
  stop = true;
  other.join();
  EXPECT_GT(busy.load(), 0);
  EXPECT_EQ(unexpected.load(), 0);
  EXPECT_TRUE(execute(bound.context, bound.bindings()));
}

}  // namespace
}  // namespace tessera::boxdecode::testing
