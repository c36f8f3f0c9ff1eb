// Sizes at their limits, where narrow indices would wrap: the widest head, the most classes, the limits on candidates.

#include <gtest/gtest.h>

#include "boxdecode/testing/choices.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

/// 32,767 x 32 cells, one class, everything far below the threshold.
Case widest_head(Layout scores) {
  constexpr std::int64_t kH = 32, kW = 32'767;
  Case c = separate_case(Profile::Yolo26RawLtrb, 1, 1, 1);
  c.params.model_input_size = c.params.original_image_size = {static_cast<std::int32_t>(kW), kH};
  c.inputs = {dense_input(DType::BFloat16, kH, kW, 4), dense_input(DType::BFloat16, kH, kW, 1)};
  c.inputs[1].layout = scores;
  c.params.max_detections = 32;
  c.fit_outputs(DType::Float32);
  c.fit_bytes(std::byte{0xC3});  // words C3C3: -390
  return c;
}

TEST(BoxDecodeExtremes, WidestHead) {
  const struct {
    Layout layout;
    Route route;
  } table[] = {{Contiguous{}, Route::DenseSingleBF16},
               {MlaCBlocked{32'767, 32'767, 1024}, Route::PackedSingleBF16},
               {MlaCBlocked{7, 1000, 1}, Route::PackedSingleBF16}};
  for (const auto& row : table) {
    Case c = widest_head(row.layout);
    EXPECT_EQ(check_inference(c.request()).value().route(0), row.route);
    const std::pair<std::int64_t, std::int64_t> cells[] = {{0, 0}, {0, 32'766}, {17, 16'384}, {31, 0}, {31, 32'766}};
    for (const auto& [y, x] : cells) {
      for (std::int64_t side = 0; side < 4; ++side) c.put_word(0, y, x, side, 0x3F00);
      c.put_word(1, y, x, 0, 0x4040);
    }
    const std::vector<Row> found = rows(decode(c));
    ASSERT_EQ(found.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(found[i].box[0], static_cast<float>(cells[i].second));
      EXPECT_EQ(found[i].box[1], static_cast<float>(cells[i].first));
    }
  }
}

// 336 classes of a combined head, 1,023 channels in pixels of 1,024; 256 of a pair head and of Int8.
TEST(BoxDecodeExtremes, MostClasses) {
  for (const bool blocked : {false, true}) {
    Case c = one_head_case(2, 3, 3, 336);
    c.inputs = {blocked ? blocked_input(DType::BFloat16, 2, 3, 1023, {2, 2, 1024})
                        : dense_input(DType::BFloat16, 2, 3, 1023, 1024)};
    c.fit_outputs(DType::Float32);
    c.fit_bytes(std::byte{0xC3});
    for (std::int64_t i = 0; i < 4; ++i) c.put_word(0, 1, 2, 2 * 341 + i, 0);
    c.put_word(0, 1, 2, 2 * 341 + 4, 0x4100);
    c.put_word(0, 1, 2, 1022, 0x4100);
    EXPECT_EQ(rows(decode(c)).at(0).class_id, 335);
  }
  for (const DType dtype : {DType::Int8, DType::BFloat16}) {
    for (const Layout& layout :
         {Layout{Contiguous{}}, Layout{MlaCBlocked{1, 1, 255}}, Layout{MlaCBlocked{1, 1, 256}}}) {
      Case c = separate_case(Profile::YoloV6V1, 1, 1, 256);
      c.inputs = {dense_input(dtype, 1, 1, 4), dense_input(dtype, 1, 1, 256)};
      c.inputs[1].layout = layout;
      c.fit_outputs(DType::Float32);
      c.fit_bytes(dtype == DType::Int8 ? std::byte{0x80} : std::byte{0xC3});
      for (std::int64_t side = 0; side < 4; ++side) c.put_word(0, 0, 0, side, dtype == DType::Int8 ? 16 : 0x3F80);
      c.put_word(1, 0, 0, 255, dtype == DType::Int8 ? 127 : 0x4100);
      EXPECT_EQ(rows(decode(c)).at(0).class_id, 255);
    }
  }
}

/// 48 x 48 cells of 16 classes, all 36,864 admitted in multi-label mode, with many equal scores.
Case crowded(Choices& choices, Layout scores) {
  Case c = separate_case(Profile::Yolo26RawLtrb, 48, 48, 16);
  c.inputs = {dense_input(DType::BFloat16, 48, 48, 4), dense_input(DType::BFloat16, 48, 48, 16)};
  c.inputs[1].layout = scores;
  c.params.multi_label = true;
  c.params.detection_threshold = 0.001f;
  c.params.nms_iou_threshold = 0.0f;
  c.params.max_detections = 2000;
  c.fit_outputs();
  c.fit_bytes();
  for (std::int64_t i = 0; i < 48 * 48; ++i) {
    for (std::int64_t side = 0; side < 4; ++side) c.put_word(0, i / 48, i % 48, side, 0x3F00);
    for (std::int64_t k = 0; k < 16; ++k) {
      c.put_word(1, i / 48, i % 48, k, choices.pick({0xC000u, 0xBF80u, 0x0000u, 0x3F80u, 0x4000u}));
    }
  }
  return c;
}

// The default limit of multi-label mode is 30,000, exactly the first in selection order.
TEST(BoxDecodeExtremes, DefaultLimitOfMultiLabel) {
  SeededChoices choices(30);
  SCOPED_TRACE(choices.where());
  for (const Layout& layout : {Layout{Contiguous{}}, Layout{MlaCBlocked{5, 7, 16}}}) {
    Case c = crowded(choices, layout);
    const Outcome outcome = decode(c);
    EXPECT_EQ(outcome.stats.candidates_seen, 36'864u);
    EXPECT_EQ(outcome.stats.candidates_kept, 30'000u);
    EXPECT_TRUE(outcome.stats.candidate_limit_hit);
    c.params.candidate_limit = 36'864;  // not exceeded: not hit
    EXPECT_FALSE(decode(c).stats.candidate_limit_hit);
    c.params.candidate_limit = 36'863;
    EXPECT_TRUE(decode(c).stats.candidate_limit_hit);
    c.params.candidate_limit = 1;
    EXPECT_EQ(ints(decode(c).outputs[3])[0], 1);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
