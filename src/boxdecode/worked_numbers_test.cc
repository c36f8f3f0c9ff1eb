// Worked examples of the specification, computed by whole executions: numbers, cutoffs, layout, background gate.

#include <gtest/gtest.h>

#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

constexpr auto kIdentity = ScoreActivation::Identity, kSigmoid = ScoreActivation::Sigmoid;

/// Everything admitted, nothing suppressed: the scores of a row of cells, highest first.
std::vector<float> scores_of(DType dtype, const std::vector<std::uint32_t>& words) {
  const auto n = static_cast<std::int64_t>(words.size());
  Case c = separate_case(Profile::Yolo26RawLtrb, 1, n, 1);
  c.inputs = {dense_input(dtype, 1, n, 4), dense_input(dtype, 1, n, 1)};
  c.params.detection_threshold = 0.0f;
  c.params.nms_iou_threshold = 0.0f;
  c.params.max_detections = static_cast<std::int32_t>(n);
  c.fit_outputs();
  c.fit_bytes();
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t side = 0; side < 4; ++side) c.put(0, 0, i, side, 0.5f);
    c.put_word(1, 0, i, 0, words[static_cast<std::size_t>(i)]);
  }
  const Outcome outcome = decode(c);
  EXPECT_EQ(ints(outcome.outputs[3])[0], n);
  return floats(outcome.outputs[1]);
}

TEST(BoxDecodeWorked, Section17_1_Sigmoid) {
  const std::vector<float> logits = {8, 3, 2, 1.5f, 1, 0.5f, -0.5f, -1};
  const std::vector<std::uint32_t> want = {0x3F7FEA06, 0x3F73DBE6, 0x3F617BEB, 0x3F514C90,
                                           0x3F3B26A8, 0x3F1F597F, 0x3EC14D03, 0x3E89B2B1};
  std::vector<std::uint32_t> words;
  for (const float logit : logits) words.push_back(bits_of(logit));
  const std::vector<float> scores = scores_of(DType::Float32, words);
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(bits_of(scores[i]), want[i]) << logits[i];
  // 17.375 is the smallest bf16 number with a sigmoid of 1, -104 the first negative one with 0.
  const std::vector<float> ends = scores_of(DType::BFloat16, {0x418B, 0x418A, 0xC2CF, 0xC2D0});
  EXPECT_EQ(ends[0], 1.0f);
  EXPECT_LT(ends[1], 1.0f);
  EXPECT_GT(ends[2], 0.0f);
  EXPECT_EQ(bits_of(ends[3]), 0u);
}

TEST(BoxDecodeWorked, Section17_2_Int8Cutoffs) {
  const struct {
    ScoreActivation activation;
    float threshold, scale;
    std::int32_t zero_point;
    std::int64_t cut;
  } table[] = {{kSigmoid, 0.25f, 0.1f, 0, -10},
               {kSigmoid, 0.5f, 0.0625f, -10, -10},
               {kSigmoid, 0.001f, 0.125f, 20, -35},
               {kSigmoid, 0.0f, 0.1f, 0, -128},
               {kIdentity, 0.0f, 0.00390625f, -128, -128},
               {kIdentity, 0.25f, 0.00390625f, -128, -64},
               {kIdentity, 0.5f, 0.001f, 0, 128},
               {kIdentity, 0.5f, 0.1f, 127, 128},
               {kIdentity, 0.0f, 0.5f, 127, 127},
               {kSigmoid, 0.9f, 0.25f, 127, 128}};
  for (const auto& row : table) {
    // One cell per byte value, so that what the cutoff admits is counted too.
    Case c = separate_case(Profile::Yolo26RawLtrb, 16, 16, 1);
    c.params.score_activation = row.activation;
    c.params.detection_threshold = row.threshold;
    c.params.nms_iou_threshold = 0.0f;
    c.params.max_detections = 256;
    c.inputs = {dense_input(DType::Int8, 16, 16, 4), dense_input(DType::Int8, 16, 16, 1)};
    c.inputs[1].quant = Quant{row.scale, row.zero_point};
    c.fit_outputs();
    c.fit_bytes(std::byte{8});
    for (std::uint32_t q = 0; q < 256; ++q) c.put_word(1, q / 16, q % 16, 0, q);
    const auto plan = check_inference(c.request());
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(plan->cutoffs(0).score, row.cut) << row.threshold << " " << row.scale;
    EXPECT_EQ(ints(decode(c).outputs[3])[0], 128 - row.cut) << row.threshold << " " << row.scale;
  }
}

/// A pair head of h x w cells of 8 pixels whose score tensor is blocked; nothing scores until a byte is set.
Case blocked_scores(DType dtype, std::int64_t h, std::int64_t w, std::int32_t classes, MlaCBlocked tile) {
  Case c = separate_case(Profile::Yolo26RawLtrb, h, w, classes);
  c.inputs = {dense_input(dtype, h, w, 4), blocked_input(dtype, h, w, classes, tile)};
  c.fit_outputs(DType::Float32);
  c.fit_bytes();
  for (std::int64_t y = 0; y < h; ++y) {
    for (std::int64_t x = 0; x < w; ++x) {
      for (std::int64_t side = 0; side < 4; ++side) c.put_word(0, y, x, side, dtype == DType::Int8 ? 8 : 0x3F00);
    }
  }
  // -128, or NaN with sign: below everything.
  c.bytes[1].assign(c.bytes[1].size(), dtype == DType::Int8 ? std::byte{0x80} : std::byte{0xFF});
  return c;
}

void expect_only(const Case& c, std::int64_t y, std::int64_t x, std::int32_t class_id) {
  const std::vector<Row> found = rows(decode(c));
  ASSERT_EQ(found.size(), 1u) << y << " " << x << " " << class_id;
  EXPECT_EQ(found[0].class_id, class_id);
  const auto left = static_cast<float>(8 * x), top = static_cast<float>(8 * y);
  EXPECT_EQ(found[0].box, (std::array<float, 4>{left, top, left + 8, top + 8}));
}

struct Element {
  std::int64_t y, x, c;
  std::size_t int8, low, high;  // documented byte offsets
};

/// The byte at the documented place is the element of that cell and class.
void expect_elements(const std::vector<Element>& table, std::int64_t h, std::int64_t w, std::int32_t classes,
                     MlaCBlocked tile) {
  for (const Element& e : table) {
    Case bytes = blocked_scores(DType::Int8, h, w, classes, tile);
    bytes.bytes[1].at(e.int8) = std::byte{0x7F};
    expect_only(bytes, e.y, e.x, static_cast<std::int32_t>(e.c));
    Case words = blocked_scores(DType::BFloat16, h, w, classes, tile);
    words.bytes[1].at(e.low) = std::byte{0xA5};  // 3FA5 is 1.289; with its bytes swapped it is tiny and negative
    words.bytes[1].at(e.high) = std::byte{0x3F};
    expect_only(words, e.y, e.x, static_cast<std::int32_t>(e.c));
  }
}

TEST(BoxDecodeWorked, Section17_3_BlockedPairHead) {
  const MlaCBlocked tile{2, 3, 20};
  const std::vector<Element> table = {
      {0, 0, 0, 0, 0, 16},        {0, 0, 15, 15, 15, 31},       {0, 0, 16, 96, 192, 208},
      {0, 0, 19, 99, 195, 211},   {0, 0, 20, 1120, 2240, 2256}, {0, 2, 0, 32, 64, 80},
      {0, 3, 0, 192, 384, 400},   {0, 6, 0, 384, 768, 784},     {1, 0, 0, 48, 96, 112},
      {1, 2, 17, 177, 353, 369},  {2, 0, 0, 448, 896, 912},     {3, 4, 25, 1829, 3653, 3669},
      {4, 0, 0, 896, 1792, 1808}, {4, 6, 19, 1107, 2211, 2227}, {4, 6, 36, 2224, 4448, 4464}};
  expect_elements(table, 5, 7, 37, tile);
  const Plan bytes = check_inference(blocked_scores(DType::Int8, 5, 7, 37, tile).request()).value();
  EXPECT_EQ(bytes.input_bytes(1), 2240u);
  EXPECT_EQ(bytes.input_alignment(1), 16u);
  EXPECT_EQ(bytes.route(0), Route::PackedPartialInt8Singleton);
  const Plan words = check_inference(blocked_scores(DType::BFloat16, 5, 7, 37, tile).request()).value();
  EXPECT_EQ(words.input_bytes(1), 4480u);
}

TEST(BoxDecodeWorked, Section17_3_BlockedSingleClass) {
  const MlaCBlocked tile{2, 4, 7};
  EXPECT_EQ(check_inference(blocked_scores(DType::BFloat16, 3, 5, 1, tile).request()).value().input_bytes(1), 480u);
  const std::vector<Element> table = {{0, 0, 0, 0, 0, 16},     {0, 3, 0, 48, 96, 112},   {0, 4, 0, 128, 256, 272},
                                      {1, 0, 0, 64, 128, 144}, {2, 0, 0, 160, 320, 336}, {2, 4, 0, 224, 448, 464}};
  expect_elements(table, 3, 5, 1, tile);
}

// Objectness of slots 0, 1, 2 at pixel (1, 2): channels 4, 11, 18. Anchors tell the slots apart.
TEST(BoxDecodeWorked, Section17_3_BlockedCombinedHead) {
  for (const DType dtype : {DType::Int8, DType::BFloat16}) {
    const bool s8 = dtype == DType::Int8;
    const std::size_t places[3][2] = {{s8 ? 84u : 164u, 180}, {s8 ? 91u : 171u, 187}, {s8 ? 178u : 354u, 370}};
    for (std::size_t slot = 0; slot < 3; ++slot) {
      Case c = one_head_case(2, 3, 3, 2);
      c.inputs = {blocked_input(dtype, 2, 3, 21, {2, 2, 16})};
      c.fit_outputs(DType::Float32);
      c.fit_bytes();
      for (std::int64_t i = 0; i < 6; ++i) {
        for (std::int64_t channel = 0; channel < 21; ++channel) {
          const std::uint32_t background = s8 ? 0x80 : 0xC2C8, certain = s8 ? 0x7F : 0x4100;
          const std::int64_t field = channel % 7;
          c.put_word(0, i / 3, i % 3, channel, field < 4 ? 0 : (field == 4 ? background : certain));
        }
      }
      EXPECT_EQ(c.bytes[0].size(), s8 ? 192u : 384u);
      EXPECT_EQ(check_inference(c.request()).value().input_bytes(0), c.bytes[0].size());
      EXPECT_TRUE(rows(decode(c)).empty());
      c.bytes[0][places[slot][0]] = s8 ? std::byte{0x7F} : std::byte{0x00};
      if (!s8) c.bytes[0][places[slot][1]] = std::byte{0x41};
      c.params.original_image_size = {24, 16};
      const std::vector<Row> found = rows(decode(c));
      ASSERT_EQ(found.size(), 1u);
      const float h = 8.0f * static_cast<float>(slot + 1);  // anchors (16, 8), (32, 16), (48, 24) around (20, 12)
      EXPECT_EQ(found[0].box[1], std::max(0.0f, 12 - h / 2));
      EXPECT_EQ(found[0].box[0], std::max(0.0f, 20 - h));
    }
  }
}

TEST(BoxDecodeWorked, Section17_3_DenseSizes) {
  Case c = yolo_v4_case(80);
  c.params.profile = Profile::YoloV5V1;
  c.params.model_input_size = {640, 640};
  c.params.max_detections = 16;
  for (int i = 0; i < 3; ++i) {
    c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::BFloat16, 80 >> i, 80 >> i, 255, 256);
  }
  c.fit_outputs();
  const Plan plan = check_inference(c.request()).value();
  const std::size_t inputs[] = {3'276'800, 819'200, 204'800}, outputs[] = {256, 64, 64, 4};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(plan.input_bytes(i), inputs[i]);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(plan.output_bytes(i), outputs[i]);
}

TEST(BoxDecodeWorked, Section17_14_BackgroundGate) {
  Case c = one_head_case(1, 1, 3, 1);
  c.params.detection_threshold = 0.25f;
  c.inputs = {dense_input(DType::BFloat16, 1, 1, 18, 32)};
  c.fit_bytes();
  const std::uint32_t objectness[] = {0xBFC0, 0xBFA0, 0xBF90};
  for (std::int64_t slot = 0; slot < 3; ++slot) {
    c.put_word(0, 0, 0, 6 * slot + 4, objectness[slot]);
    c.put_word(0, 0, 0, 6 * slot + 5, 0x418B);  // a class score of 1
  }
  EXPECT_EQ(check_inference(c.request()).value().cutoffs(0).objectness, 0x4073);
  EXPECT_TRUE(rows(decode(c)).empty());
  c.put_word(0, 0, 0, 16, 0xBF8C);
  EXPECT_EQ(rows(decode(c)).size(), 1u);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
