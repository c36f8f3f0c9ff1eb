// The routes with objectness, cell by cell: every combination of objectness around its cutoff, class borders on every
// lane, and products that no gate may skip.

#include <gtest/gtest.h>

#include "boxdecode/testing/choices.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

/// Dense with padded pixels, or blocked with awkward tiles; the last cuts rows into runs of one cell.
enum class Memory { dense, tiles, single_cells };

TensorSpec input(Memory memory, DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t tile_c) {
  if (memory == Memory::dense) return dense_input(dtype, h, w, c, (c + 15) / 16 * 16 + 16);
  return blocked_input(dtype, h, w, c, {3, memory == Memory::tiles ? 5 : 1, tile_c});
}

/// Objectness words: cutoff - 1, cutoff, cutoff + 1 of Sigmoid 0.25, NaN of both signs (Int8: ends of the range).
constexpr std::uint32_t kBf16[] = {0xBF8D, 0xBF8C, 0xBF8B, 0x7FC0, 0xFFC0};
constexpr std::uint32_t kInt8[] = {0xEE, 0xEF, 0xF0, 0x7F, 0x80};  // -18, -17, -16: scale 0.0625, zero point 0

// 125 cells: each combination in the three slots of a cell. Classes are random, now and then certain.
Case combined_case(Choices& choices, Memory memory, DType dtype, std::int32_t classes) {
  Case c = one_head_case(5, 25, 3, classes);
  c.params.detection_threshold = 0.25f;
  c.params.nms_iou_threshold = 1.0f;
  c.params.max_detections = 375;
  const std::int64_t channels = 3 * (classes + 5);
  c.inputs = {input(memory, dtype, 5, 25, channels, choices.pick({16, 32, 48, 1024}))};
  c.fit_outputs();
  c.fit_bytes(std::byte{0x7F});
  const bool s8 = dtype == DType::Int8;
  for (std::int64_t cell = 0; cell < 125; ++cell) {
    const std::int64_t step[] = {cell / 25, cell / 5 % 5, cell % 5};
    for (std::int64_t k = 0; k < channels; ++k) {
      const std::int64_t slot = k / (classes + 5), field = k % (classes + 5);
      std::uint32_t word = 0;  // x, y, w, h
      if (field == 4) word = s8 ? kInt8[step[slot]] : kBf16[step[slot]];
      if (field > 4) word = s8 ? choices.bits() & 0xFF : bits_of(choices.uniform(-3, 25)) >> 16;
      c.put_word(0, cell / 25, cell % 25, k, word);
    }
  }
  return c;
}

TEST(BoxDecodeRoutes, CombinedGateInEveryCombination) {
  SeededChoices choices(98);
  SCOPED_TRACE(choices.where());
  long cells = 0;
  for (std::int32_t classes = 1; classes <= 40; ++classes) {
    for (const Memory memory : {Memory::dense, Memory::tiles, Memory::single_cells}) {
      for (const DType dtype : {DType::Int8, DType::BFloat16}) {
        Case c = combined_case(choices, memory, dtype, classes);
        const Plan plan = check_inference(c.request()).value();
        EXPECT_EQ(plan.cutoffs(0).objectness, dtype == DType::Int8 ? -17 : 0x4073);
        EXPECT_EQ(plan.route(0), memory == Memory::dense ? Route::CombinedDense : Route::CombinedPacked);
        EXPECT_GT(decode(c).stats.candidates_seen, 0u);
        c.params.multi_label = true;
        decode(c);
        ASSERT_FALSE(HasFailure()) << classes << " classes, memory " << static_cast<int>(memory);
        cells += 250;
      }
    }
  }
  report_cases("9.8 cells", cells);
}

/// Factors of a product: below and above any T, zeros of both signs, what is not a number.
constexpr std::uint32_t kFactors[] = {0xC000, 0xBE80, 0x8000, 0x0000, 0x3E80, 0x3E9A, 0x3F00,
                                      0x3F80, 0x3FC0, 0x7F80, 0xFF80, 0x7FC0, 0xFFC0};

// 169 cells: every pair of factors. Int8: steps of the whole range, score and objectness on scales of their own.
Case objectness_case(Memory score, Memory objectness, DType dtype, std::int32_t classes) {
  Case c = separate_case(Profile::YoloXV1, 13, 13, classes);
  const bool s8 = dtype == DType::Int8;
  c.inputs = {dense_input(dtype, 13, 13, 4), input(score, dtype, 13, 13, classes, 17),
              input(objectness, dtype, 13, 13, 1, 3)};
  if (s8) {
    c.inputs[1].quant = Quant{1.0f / 64, -20};
    c.inputs[2].quant = Quant{1.0f / 32, 30};
  }
  c.params.nms_iou_threshold = 1.0f;
  c.params.max_detections = 169 * classes;
  c.params.rank_rule = RankRule::Product;
  c.fit_outputs();
  c.fit_bytes(std::byte{0x7F});
  const auto factor = [&](std::int64_t i) { return s8 ? static_cast<std::uint32_t>(21 * i - 128) : kFactors[i]; };
  for (std::int64_t y = 0; y < 13; ++y) {
    for (std::int64_t x = 0; x < 13; ++x) {
      for (std::int64_t k = 0; k < 4; ++k) c.put_word(0, y, x, k, 0);
      for (std::int64_t k = 0; k < classes; ++k) c.put_word(1, y, x, k, factor((x + 5 * k) % 13));
      c.put_word(2, y, x, 0, factor(y));
    }
  }
  return c;
}

TEST(BoxDecodeRoutes, SeparateObjectnessInEveryLayoutAndPairOfFactors) {
  long cells = 0;
  for (const Memory score : {Memory::dense, Memory::tiles, Memory::single_cells}) {
    for (const Memory objectness : {Memory::dense, Memory::tiles, Memory::single_cells}) {
      for (const DType dtype : {DType::Int8, DType::BFloat16}) {
        for (const std::int32_t classes : {1, 2, 18}) {
          Case c = objectness_case(score, objectness, dtype, classes);
          const Plan plan = check_inference(c.request()).value();
          EXPECT_EQ(plan.route(0), score == Memory::dense ? Route::ObjectnessDense : Route::ObjectnessPacked);
          for (const auto activation : {ScoreActivation::Identity, ScoreActivation::Sigmoid}) {
            for (const float threshold : {0.0f, 0.25f, 0.3f, 0.5f}) {
              c.params.score_activation = activation;
              c.params.detection_threshold = threshold;
              c.params.multi_label = !c.params.multi_label;
              decode(c);
              cells += 169;
            }
          }
          ASSERT_FALSE(HasFailure()) << static_cast<int>(score) << static_cast<int>(objectness) << classes;
        }
      }
    }
  }
  report_cases("9.9 cells", cells);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
