// One class, BF16: a head of 256 x 256 cells holds every word once. What comes out is counted word by word, at
// thresholds and in memories of all kinds, and the buffer ends with the last word.

#include <gtest/gtest.h>

#include <algorithm>

#include "boxdecode/numbers.h"  // sigmoid, nothing else
#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/guarded.h"

namespace tessera::boxdecode::testing {
namespace {

/// Zero, the smallest subnormal, usual ones with their neighbours, and a sweep.
std::vector<float> thresholds() {
  std::vector<float> out = {0.0f,
                            float_of(1),
                            float_of(0x000116C2),
                            1e-30f,
                            0.001f,
                            0.25f,
                            0.45f,
                            float_of(0x3EFFFFFF),
                            0.5f,
                            float_of(0x3F000001),
                            0.75f,
                            0.9f,
                            0.999f,
                            float_of(0x3F7FFFFF)};
  for (int i = 1; i < 32; ++i) out.push_back(static_cast<float>(i) / 32.0f);
  return out;
}

/// Word 256 * y + x at cell (y, x); boxes are the cells, of 8 pixels. NMS is skipped and every row has room.
Case all_words(Layout scores) {
  Case c = separate_case(Profile::Yolo26RawLtrb, 256, 256, 1);
  c.inputs = {dense_input(DType::BFloat16, 256, 256, 4), dense_input(DType::BFloat16, 256, 256, 1)};
  c.inputs[1].layout = scores;
  c.params.nms_iou_threshold = 0.0f;
  c.params.max_detections = 65'536;
  c.fit_outputs();
  c.fit_bytes(std::byte{0x7F});  // padding: 7F7F would be admitted
  for (std::int64_t i = 0; i < 65'536; ++i) {
    for (std::int64_t side = 0; side < 4; ++side) c.put_word(0, i / 256, i % 256, side, 0x3F00);
    c.put_word(1, i / 256, i % 256, 0, static_cast<std::uint32_t>(i));
  }
  return c;
}

struct Admitted {
  float score;
  std::uint32_t word;
};

/// The final check alone on every word; both zeros count as +0.
std::vector<Admitted> expected(const Params& p) {
  std::vector<Admitted> out;
  for (std::uint32_t word = 0; word < 65'536; ++word) {
    float v = float_of(word << 16);
    if (v == 0.0f) v = 0.0f;
    const float s = p.score_activation == ScoreActivation::Sigmoid ? sigmoid(v) : v;
    if (std::isfinite(s) && s >= p.detection_threshold) out.push_back({s, word});
  }
  std::ranges::stable_sort(out, [](const Admitted& a, const Admitted& b) { return a.score > b.score; });
  return out;
}

/// Which word is the first that differs; 65,536 when none does.
std::uint32_t first_difference(const Bound& bound, const std::vector<Admitted>& want) {
  const std::vector<float> scores = floats(bound.output_bytes[1]);
  const std::vector<std::int32_t> boxes = ints(bound.output_bytes[0]);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const auto row = static_cast<std::int32_t>(want[i].word / 256), col = static_cast<std::int32_t>(want[i].word % 256);
    const bool same = bits_of(scores[i]) == bits_of(want[i].score == 0.0f ? 0.0f : want[i].score) &&
                      boxes[4 * i] == 8 * col && boxes[4 * i + 1] == 8 * row;
    if (!same) return want[i].word;
  }
  return 65'536;
}

void expect_every_word(Case c, Route route, long& words) {
  const Guarded memory(c.bytes[1].size(), c.inputs[1].layout.index() == 2 ? 16 : 2, true);
  std::ranges::copy(c.bytes[1], memory.bytes().begin());
  const std::vector<std::string> scanners = usable_scanners();
  std::size_t turn = 0;
  for (const ScoreActivation activation : {ScoreActivation::Identity, ScoreActivation::Sigmoid}) {
    for (const float threshold : thresholds()) {
      c.params.score_activation = activation;
      c.params.detection_threshold = threshold;
      c.scanner = scanners[turn++ % scanners.size()];
      Bound bound(c);
      ASSERT_EQ(bound.plan.route(0), route);
      bound.inputs[1] = memory.bytes();
      ASSERT_TRUE(execute(bound.context, bound.bindings()));
      const std::vector<Admitted> want = expected(c.params);
      ASSERT_EQ(ints(bound.output_bytes[3])[0], static_cast<std::int32_t>(want.size())) << "T " << threshold;
      ASSERT_EQ(first_difference(bound, want), 65'536u) << "T " << threshold << ", " << c.scanner;
      words += 65'536;
    }
  }
}

TEST(BoxDecodeRoutes, DenseSingleEveryWordAtEveryThreshold) {
  long words = 0;
  for (const std::int64_t pixel : {2, 6, 32}) {
    for (const std::int64_t gap : {0, 10}) {
      const Layout layout = Strided{{256 * pixel + gap, pixel, 2}};
      ASSERT_NO_FATAL_FAILURE(expect_every_word(all_words(layout), Route::DenseSingleBF16, words)) << pixel;
    }
  }
  report_cases("X1 dense words", words);
}

TEST(BoxDecodeRoutes, PackedSingleEveryWordAtEveryThreshold) {
  long words = 0;
  std::int64_t side = 3;
  for (const std::int64_t tile_c : {1, 2, 3, 7, 15, 16, 17, 31, 32, 255, 1024}) {
    side = side * 5 % 67;  // 15, 8, 40, 66, 62 ...: most do not divide 256
    const Layout layout = MlaCBlocked{side, side + 9, tile_c};
    ASSERT_NO_FATAL_FAILURE(expect_every_word(all_words(layout), Route::PackedSingleBF16, words)) << tile_c;
  }
  report_cases("X1 packed words", words);
}

}  // namespace
}  // namespace tessera::boxdecode::testing
