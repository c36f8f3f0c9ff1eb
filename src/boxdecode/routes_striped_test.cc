// The blocked single-label routes of pair heads, cell by cell in the situations that their shortcuts turn on: words
// around the cutoff in every lane, ties between every two stripes, padding that would win.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "boxdecode/testing/choices.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

/// One Yolo26 head of h x w cells, nothing suppressed, every admitted cell reported; good boxes everywhere.
Case blocked_case(DType dtype, std::int64_t h, std::int64_t w, std::int64_t classes, MlaCBlocked tile, std::byte pad) {
  Case c = separate_case(Profile::Yolo26RawLtrb, h, w, static_cast<std::int32_t>(classes));
  c.inputs = {dense_input(dtype, h, w, 4), blocked_input(dtype, h, w, classes, tile)};
  c.params.nms_iou_threshold = 0;
  c.params.max_detections = static_cast<std::int32_t>(h * w);
  c.fit_outputs();
  c.fit_bytes(pad);
  for (std::int64_t i = 0; i < h * w * 4; ++i) {
    c.put_word(0, i / 4 / w, i / 4 % w, i % 4, dtype == DType::Int8 ? 8 : 0x3F00);
  }
  return c;
}

/// Identity, so that `cut` is the cutoff: a(q) = (q + 128) / 256, or at most 255 / 512 with T = 0.5 for 128.
void set_cut(Case& c, int cut) {
  c.params.score_activation = ScoreActivation::Identity;
  c.inputs[1].quant = Quant{cut == 128 ? 1.0f / 512 : 1.0f / 256, -128};
  c.params.detection_threshold = cut == 128 ? 0.5f : static_cast<float>(cut + 128) / 256;
}

constexpr int kCuts[] = {-128, -127, -1, 0, 1, 126, 127, 128};
constexpr std::int64_t kChannels[] = {1, 15, 16, 17, 31, 32, 33, 48, 49, 255, 256};

std::vector<std::int64_t> channel_tiles(std::int64_t c) {
  std::vector<std::int64_t> out = {1, 15, 16, 17, 32, 33, 48, 1024};
  for (const std::int64_t own : {c, c + 1}) {
    if (std::ranges::find(out, own) == out.end()) out.push_back(own);
  }
  return out;
}

// Cell q has its highest byte q in one or two channels, and lower ones elsewhere.
void fill_bytes(Choices& choices, Case& c, std::int64_t classes, std::int64_t w) {
  for (int q = -128; q < 128; ++q) {
    const std::int64_t y = (q + 128) / w, x = (q + 128) % w;
    for (std::int64_t k = 0; k < classes; ++k) {
      c.put_word(1, y, x, k, static_cast<std::uint32_t>(choices.one_in(2) ? -128 : choices.between(-128, q)));
    }
    const auto last = static_cast<std::int32_t>(classes) - 1;
    for (int copies = 0; copies < 2; ++copies)
      c.put_word(1, y, x, choices.between(0, last), static_cast<std::uint32_t>(q));
  }
}

TEST(BoxDecodeRoutes, Int8EveryByteAtEveryCut) {
  SeededChoices choices(95);
  SCOPED_TRACE(choices.where());
  std::map<Route, int> routes;
  long cells = 0;
  for (const std::int64_t classes : kChannels) {
    for (const std::int64_t tile_c : channel_tiles(classes)) {
      Case c = blocked_case(DType::Int8, 16, 16, classes, {choices.between(1, 17), choices.between(1, 17), tile_c},
                            choices.one_in(2) ? std::byte{0x7F} : std::byte{0x80});
      fill_bytes(choices, c, classes, 16);
      for (const int cut : kCuts) {
        set_cut(c, cut);
        const Plan plan = check_inference(c.request()).value();
        ASSERT_EQ(plan.cutoffs(0).score, cut);
        ++routes[plan.route(0)];
        ASSERT_EQ(ints(decode(c).outputs[3])[0], 128 - cut) << classes << " " << tile_c;
        ASSERT_FALSE(HasFailure()) << classes << " classes, tile " << tile_c << ", cut " << cut;
        cells += 256;
      }
    }
  }
  for (const Route route : {Route::PackedFullInt8, Route::PackedPartialInt8, Route::PackedPartialInt8Singleton}) {
    EXPECT_GT(routes[route], 80) << to_string(route);
  }
  report_cases("9.5-9.7 cells", cells);
}

// Cell (i, j) has its maximum once in stripe i and once in stripe j: the lower class wins.
void expect_first_of_ties(DType dtype, std::int64_t classes, std::int64_t tile_c, std::uint32_t low,
                          std::uint32_t high) {
  const std::int64_t stripes = (classes + 15) / 16;
  Case c = blocked_case(dtype, stripes, stripes, classes, {3, 2, tile_c}, std::byte{0x7F});
  c.params.detection_threshold = 0.0f;
  for (std::int64_t i = 0; i < stripes; ++i) {
    for (std::int64_t j = 0; j < stripes; ++j) {
      for (std::int64_t k = 0; k < classes; ++k) c.put_word(1, i, j, k, low);
      for (const std::int64_t stripe : {i, j}) {
        c.put_word(1, i, j, std::min(classes - 1, 16 * stripe + (5 * i + 3 * j) % 16), high);
      }
    }
  }
  decode(c);
}

TEST(BoxDecodeRoutes, TiesBetweenEveryTwoStripes) {
  for (const std::int64_t tile_c : {16, 17, 33, 48, 256, 1024}) {
    for (const std::int64_t classes : {255, 256, 241}) {
      expect_first_of_ties(DType::Int8, classes, tile_c, 0x80, 0x80);  // nothing but -128: class 0
      expect_first_of_ties(DType::Int8, classes, tile_c, 0x80, 0x81);
      expect_first_of_ties(DType::Int8, classes, tile_c, 0x7E, 0x7F);
      expect_first_of_ties(DType::BFloat16, classes, tile_c, 0xBF80, 0x3F80);
      expect_first_of_ties(DType::BFloat16, classes, tile_c, 0x8000, 0x0000);  // zeros are equal: class 0
      expect_first_of_ties(DType::BFloat16, classes, tile_c, 0xFFFF, 0xFFFE);  // NaN with sign, the lesser one wins
      ASSERT_FALSE(HasFailure()) << tile_c << " " << classes;
    }
  }
}

struct Gate {
  ScoreActivation activation;
  float threshold;
};

// One active lane is interesting, in each of its positions; the others are far below every cutoff that has a bound.
// Inactive lanes hold 7F7F, which would be admitted.
void expect_lanes(std::int64_t classes, std::int64_t tile_c, Gate gate, long& cells) {
  Case c = blocked_case(DType::BFloat16, 24, 16, classes, {5, 7, tile_c}, std::byte{0x7F});
  c.params.score_activation = gate.activation;
  c.params.detection_threshold = gate.threshold;
  const Plan plan = check_inference(c.request()).value();
  const auto cutoff_high = static_cast<std::uint32_t>(plan.cutoffs(0).score >> 8);
  const std::uint32_t bound = std::max(0x81u, 0x100u - cutoff_high);
  const std::uint32_t highs[] = {bound - 1, bound & 0xFF, (bound + 1) & 0xFF, 0x80, 0xFF, cutoff_high & 0x7F};
  const std::uint32_t lows[] = {0x00, 0x7F, 0x80, 0xFF};
  std::uint32_t situation = 0;
  for (std::int64_t y = 0; y < 24; ++y, ++situation) {
    for (std::int64_t x = 0; x < 16; ++x) {
      for (std::int64_t k = 0; k < classes; ++k) c.put_word(1, y, x, k, 0xFF7F);
      const std::int64_t lane = std::min(classes - 1, (classes - 1) / 16 * 16 + x);
      c.put_word(1, y, x, lane, highs[situation % 6] << 8 | lows[situation / 6]);
      ++cells;
    }
  }
  decode(c);
}

TEST(BoxDecodeRoutes, Bf16EveryLaneAroundTheBound) {
  const Gate gates[] = {{ScoreActivation::Sigmoid, 0.0f},          // high byte 00: no shortcut
                        {ScoreActivation::Sigmoid, 0.001f},        // 3F
                        {ScoreActivation::Sigmoid, 0.25f},         // 40
                        {ScoreActivation::Sigmoid, 0.5f},          // 4C
                        {ScoreActivation::Identity, 0.0f},         // 80
                        {ScoreActivation::Identity, 3e-38f},       // 81
                        {ScoreActivation::Identity, 0.9f},         // BF
                        {ScoreActivation::Sigmoid, 0.9f},          // C0
                        {ScoreActivation::Sigmoid, 0.99999994f}};  // C1
  long cells = 0;
  for (const Gate gate : gates) {
    for (std::int64_t lanes = 1; lanes <= 16; ++lanes) {
      if (lanes > 1) expect_lanes(lanes, 16, gate, cells);
      expect_lanes(16 + lanes, 16, gate, cells);
      expect_lanes(16 + lanes, 64, gate, cells);
      ASSERT_FALSE(HasFailure()) << lanes << " lanes, T " << gate.threshold;
    }
  }
  report_cases("9.3 cells", cells);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
