// Worked examples of the specification, computed by whole executions: NMS, the end-to-end example, box-step v2, mosaic.

#include <gtest/gtest.h>

#include <cmath>

#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

using Corners = std::array<float, 4>;

/// Boxes with scores in one class, each in a cell of its own (Identity, T = 0.5 unless set); indices of the kept ones.
struct Scored {
  Corners box;
  float score;
};
Case row_of(const std::vector<Scored>& boxes, float nms) {
  Case c = corners_case(1, static_cast<std::int64_t>(boxes.size()), 1024, 1);
  c.params.nms_iou_threshold = nms;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    put_corners(c, 0, static_cast<std::int64_t>(i), boxes[i].box, boxes[i].score);
  }
  return c;
}
std::vector<float> kept_scores(const Case& c) {
  std::vector<float> out;
  for (const Row& row : rows(decode(c))) out.push_back(row.score);
  return out;
}
using Scores = std::vector<float>;

TEST(BoxDecodeWorked, Section17_9_StrictComparison) {
  const std::vector<Scored> nine = {{{0, 0, 9, 1}, 0.9f}, {{0, 0, 20, 1}, 0.8f}};  // 9/20 is float(0.45)
  EXPECT_EQ(kept_scores(row_of(nine, 0.45f)), (Scores{0.9f, 0.8f}));
  EXPECT_EQ(kept_scores(row_of(nine, std::nextafter(0.45f, 0.0f))), (Scores{0.9f}));
  const std::vector<Scored> half = {{{0, 0, 10, 10}, 0.9f}, {{0, 0, 10, 5}, 0.8f}};
  EXPECT_EQ(kept_scores(row_of(half, 0.5f)), (Scores{0.9f, 0.8f}));
  // 311/691 is above 0.45f, though both round to the same half-precision number.
  const std::vector<Scored> close = {{{0, 0, 501, 1}, 0.9f}, {{190, 0, 691, 1}, 0.8f}};
  EXPECT_EQ(kept_scores(row_of(close, 0.45f)), (Scores{0.9f}));
}

TEST(BoxDecodeWorked, Section17_9_Chain) {
  const std::vector<Scored> chain = {{{0, 0, 10, 10}, 0.9f}, {{3, 0, 13, 10}, 0.8f}, {{6, 0, 16, 10}, 0.7f}};
  EXPECT_EQ(kept_scores(row_of(chain, 0.45f)), (Scores{0.9f, 0.7f}));
}

// Shifting boxes by class would change the decision: the same two boxes, 79 * 7680 further, overlap less.
TEST(BoxDecodeWorked, Section17_9_ClassOffsetTrick) {
  const std::uint32_t words[2][4] = {{0x43DF8152, 0x43B13DCD, 0x43E301C8, 0x43BAAEDC},
                                     {0x43E0A4EA, 0x43B13DCD, 0x43E42560, 0x43BACC05}};
  for (const bool shifted : {false, true}) {
    Case c = corners_case(365, 451, 1, 1);  // cells beside the boxes, so that the distances are exact
    for (std::int64_t i = 0; i < 2; ++i) {
      Corners box;
      for (std::size_t side = 0; side < 4; ++side) {
        box[side] = float_of(words[i][side]) + (shifted ? 79.0f * 7680.0f : 0.0f);
      }
      put_corners(c, 364, 449 + i, box, i == 0 ? 0.9f : 0.8f);
    }
    EXPECT_EQ(kept_scores(c), shifted ? (Scores{0.9f, 0.8f}) : (Scores{0.9f}));
  }
}

/// Section 17.10: one bf16 pair, 2x2 cells of 16 pixels, 3 classes.
Case end_to_end() {
  Case c = separate_case(Profile::Yolo26RawLtrb, 2, 2, 3);
  c.inputs = {dense_input(DType::BFloat16, 2, 2, 4), dense_input(DType::BFloat16, 2, 2, 3)};
  c.params.model_input_size = {32, 32};
  c.params.original_image_size = {64, 48};
  c.params.max_detections = 4;
  c.fit_outputs();
  c.fit_bytes();
  const float distances[4][4] = {
      {0.5f, 0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f, 0.5f}, {0.5f, 1.5f, 0.5f, -0.5f}, {0.5f, 0.5f, 0.5f, 0.5f}};
  const std::uint32_t classes[4][3] = {
      {0x3F80, 0x3F80, 0xBF80}, {0x8000, 0x0000, 0xC000}, {0x3F80, 0xBF80, 0xBF80}, {0xBF80, 0x7FC0, 0x4040}};
  for (std::int64_t cell = 0; cell < 4; ++cell) {
    for (std::int64_t i = 0; i < 4; ++i) c.put(0, cell / 2, cell % 2, i, distances[cell][i]);
    for (std::int64_t i = 0; i < 3; ++i) c.put_word(1, cell / 2, cell % 2, i, classes[cell][i]);
  }
  return c;
}

using Words = std::vector<std::int32_t>;

TEST(BoxDecodeWorked, Section17_10_EndToEnd) {
  Case c = end_to_end();
  const Outcome half = decode(c);
  EXPECT_EQ(ints(half.outputs[0]), (Words{0, 0, 32, 24, 32, 0, 64, 24, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(ints(half.outputs[1]), (Words{0x3F3B26A8, 0x3F000000, 0, 0}));
  EXPECT_EQ(ints(half.outputs[2]), (Words{0, 0, 0, 0}));
  EXPECT_EQ(ints(half.outputs[3]), (Words{2}));
  c.params.nms_iou_threshold = 0;  // NMS is skipped
  const Outcome zero = decode(c);
  EXPECT_EQ(ints(zero.outputs[0]), (Words{0, 0, 32, 24, 0, 0, 32, 24, 32, 0, 64, 24, 0, 0, 0, 0}));
  EXPECT_EQ(ints(zero.outputs[3]), (Words{3}));
}

TEST(BoxDecodeWorked, Section17_10_EndToEndMultiLabel) {
  Case c = end_to_end();
  c.params.multi_label = true;
  c.params.max_detections = 5;
  c.fit_outputs();
  const Outcome outcome = decode(c);
  EXPECT_EQ(ints(outcome.outputs[3]), (Words{5}));
  EXPECT_EQ(ints(outcome.outputs[2]), (Words{2, 0, 1, 0, 1}));
  EXPECT_EQ(ints(outcome.outputs[1])[0], 0x3F73DBE6);
  const Words boxes = ints(outcome.outputs[0]);
  EXPECT_EQ(Words(boxes.begin(), boxes.begin() + 8), (Words{32, 24, 64, 48, 0, 0, 32, 24}));
  c.params.nms_class_agnostic = true;
  EXPECT_EQ(ints(decode(c).outputs[2]), (Words{2, 0, 0, 0, 0}));
  EXPECT_EQ(ints(decode(c).outputs[3]), (Words{3}));
}

/// One YOLOX cell per (objectness, class) pair, far apart; scores as reported.
Scores ranked(ScoreActivation activation, const std::vector<std::array<float, 2>>& factors, RankRule rule) {
  const auto n = static_cast<std::int64_t>(factors.size());
  Case c = separate_case(Profile::YoloXV1, 1, n, 1);
  c.params.score_activation = activation;
  c.params.rank_rule = rule;
  c.params.detection_threshold = 0.4f;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t field = 0; field < 4; ++field) c.put(0, 0, i, field, 0);
    c.put(2, 0, i, 0, factors[static_cast<std::size_t>(i)][0]);
    c.put(1, 0, i, 0, factors[static_cast<std::size_t>(i)][1]);
  }
  c.fit_outputs(DType::Float32);
  return kept_scores(c);
}

TEST(BoxDecodeWorked, Section17_11_RankScore) {
  const auto power = RankRule::PowerHalf125, product = RankRule::Product;
  EXPECT_EQ(bits_of(ranked(ScoreActivation::Sigmoid, {{2, 1.5f}}, power).at(0)), 0x3F3AC86Bu);
  const std::vector<std::array<float, 2>> two = {{0.5f, 0.9f}, {0.9f, 0.55f}};
  const Scores base = ranked(ScoreActivation::Identity, two, product);
  EXPECT_EQ(base, (Scores{float_of(0x3EFD70A4), float_of(0x3EE66666)}));
  const Scores rank = ranked(ScoreActivation::Identity, two, power);
  EXPECT_EQ(rank, (Scores{float_of(0x3F1EAEA2), float_of(0x3EE60FD5)}));  // the order flips
  Case c = row_of({{{0, 0, 10, 10}, 0.8f}}, 0.5f);                        // no objectness
  c.params.rank_rule = power;
  EXPECT_EQ(bits_of(kept_scores(c).at(0)), 0x3F41B019u);
}

TEST(BoxDecodeWorked, Section17_11_Voting) {
  Case c = row_of({{{10, 10, 50, 50}, 0.9f}, {{12, 10, 52, 50}, 0.6f}, {{10, 20, 50, 60}, 0.5f}}, 0.5f);
  c.params.voting = Voting{};
  const std::vector<Row> found = rows(decode(c));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(bits_of(found[0].box), (Bits{0x412CCCCD, bits_of(10.0f), 0x424B3333, bits_of(50.0f)}));
  c = row_of({{{0, 0, 30, 10}, 0.9f}, {{0, 0, 40, 10}, 0.8f}}, 0.5f);  // IoU 0.75: does not vote
  c.params.voting = Voting{};
  EXPECT_EQ(rows(decode(c)).at(0).box, (Corners{0, 0, 30, 10}));
}

// 2x2 tiles of 320, margin 4: only edges with a neighbour count.
TEST(BoxDecodeWorked, Section17_11_EdgePenalty) {
  const struct {
    std::int32_t tile_row, tile_col;
    Corners box;
    bool penalised;
  } table[] = {{0, 0, {200, 10, 317, 60}, true},   {0, 0, {200, 10, 315, 60}, false},
               {0, 0, {0.5f, 10, 40, 60}, false},  {0, 1, {3.5f, 100, 40, 160}, true},
               {0, 1, {100, 100, 200, 316}, true}, {1, 1, {100, 100, 200, 316}, false}};
  for (const auto& row : table) {
    Case c = corners_case(40, 40, 16, 1);
    c.params.mosaic = {2, 2};
    c.params.original_image_size = {320, 320};
    c.params.edge_penalty = EdgePenalty{};
    c.params.rank_rule = RankRule::PowerHalf125;
    c.fit_outputs(DType::Float32);
    put_corners(c, 20 * row.tile_row + 3, 20 * row.tile_col + 5, row.box, 0.8f);
    const Scores scores = kept_scores(c);
    ASSERT_EQ(scores.size(), 1u);
    EXPECT_EQ(bits_of(scores[0]), row.penalised ? 0x3EC1B019u : 0x3F41B019u) << row.box[0] << " " << row.box[3];
  }
}

// A cell belongs to the tile it lies in: its image, and its local place there.
TEST(BoxDecodeWorked, Section17_12_Mosaic) {
  const struct {
    std::size_t level;
    std::int64_t y, x;
    std::size_t image;
    float cx, cy;
  } table[] = {{1, 25, 7, 2, 7.5f * 16, 5.5f * 16},
               {0, 39, 40, 1, 4, 39.5f * 8},
               {2, 19, 10, 3, 16, 9.5f * 32},
               {0, 41, 3, 2, 28, 12}};
  for (const auto& row : table) {
    Case c = yolo_v4_case(1);
    c.params.model_input_size = {640, 640};
    c.params.original_image_size = {320, 320};
    c.params.mosaic = {2, 2};
    for (int i = 0; i < 3; ++i)
      c.inputs[static_cast<std::size_t>(i)] = dense_input(DType::Float32, 80 >> i, 80 >> i, 18);
    c.fit_bytes(std::byte{0xC3});  // -390: background
    c.fit_outputs(DType::Float32);
    const float slot[] = {0, 0, -9, -9, 8, 8};  // tiny, so that nothing is clamped
    for (std::int64_t i = 0; i < 6; ++i) c.put(row.level, row.y, row.x, i, slot[i]);
    std::vector<std::int32_t> counts(4, 0);
    counts[row.image] = 1;
    EXPECT_EQ(ints(decode(c).outputs[3]), counts);
    const Corners box = rows(decode(c)).at(0).box;
    EXPECT_NEAR((box[0] + box[2]) / 2, row.cx, 1e-4);  // the centre of a tiny box, through rounded corners
    EXPECT_NEAR((box[1] + box[3]) / 2, row.cy, 1e-4);
    if (row.y != 41) continue;
    c.put(0, 41, 3, 2, 0);
    c.put(0, 41, 3, 3, 0);
    EXPECT_EQ(rows(decode(c)).at(0).box, (Corners{22, 4, 34, 20}));
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
