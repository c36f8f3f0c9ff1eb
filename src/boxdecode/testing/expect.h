#pragma once
// What tests of whole executions share: library against slow twin, and a readable view of the outputs.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {

/// Every route: what tests that must have taken each one count against.
inline constexpr Route kRoutes[] = {Route::CombinedDense,
                                    Route::CombinedPacked,
                                    Route::DenseFloat,
                                    Route::DenseGeneric,
                                    Route::DenseSingleBF16,
                                    Route::MultiLabelGeneric,
                                    Route::ObjectnessDense,
                                    Route::ObjectnessPacked,
                                    Route::PackedFullInt8,
                                    Route::PackedPartialInt8,
                                    Route::PackedPartialInt8Singleton,
                                    Route::PackedSingleBF16,
                                    Route::PackedStripeBF16};

/// Every scanner there is a name for; those that build or processor lack are refused by check_inference.
inline constexpr const char* kScannerNames[] = {"scalar", "avx2", "avx512", "neon"};

/// Those that can run here.
inline std::vector<std::string> usable_scanners() {
  std::vector<std::string> out;
  Case c = yolo_v4_case();
  for (const char* name : kScannerNames) {
    c.scanner = name;
    if (check_inference(c.request())) out.emplace_back(name);
  }
  return out;
}

/// The outcome, on which the slow twin and the library with each scanner must agree to the last byte.
inline Outcome decode(const Case& c) {
  const Outcome want = run_reference(c);
  Case one = c;
  for (const std::string& scanner : usable_scanners()) {
    one.scanner = scanner;
    const auto got = run(one);
    EXPECT_TRUE(got) << (got ? "" : to_string(got.error()));
    if (got) {
      EXPECT_EQ(difference(*got, want), "") << scanner;
    }
  }
  return want;
}

using Bits = std::array<std::uint32_t, 4>;

/// One row of the outputs of a plan with Float32 boxes.
struct Row {
  std::array<float, 4> box;
  float score;
  std::int32_t class_id;
};

/// The rows that count, image after image.
inline std::vector<Row> rows(const Outcome& outcome) {
  const auto counts = ints(outcome.outputs[3]), classes = ints(outcome.outputs[2]);
  const auto boxes = floats(outcome.outputs[0]), scores = floats(outcome.outputs[1]);
  const std::size_t capacity = scores.size() / counts.size();
  std::vector<Row> out;
  for (std::size_t image = 0; image < counts.size(); ++image) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(counts[image]); ++i) {
      const std::size_t row = image * capacity + i;
      const float* box = boxes.data() + 4 * row;
      out.push_back({{box[0], box[1], box[2], box[3]}, scores[row], classes[row]});
    }
  }
  return out;
}

inline Bits bits_of(const std::array<float, 4>& box) {
  return {bits_of(box[0]), bits_of(box[1]), bits_of(box[2]), bits_of(box[3])};
}

/// Yolo26RawLtrb, Identity, Float32 boxes: h x w cells of `stride` pixels that put_corners fills.
inline Case corners_case(std::int64_t h, std::int64_t w, std::int32_t stride, std::int32_t classes) {
  Case c = separate_case(Profile::Yolo26RawLtrb, h, w, classes);
  c.params.score_activation = ScoreActivation::Identity;
  c.params.model_input_size = {static_cast<std::int32_t>(w) * stride, static_cast<std::int32_t>(h) * stride};
  c.params.original_image_size = c.params.model_input_size;
  c.fit_outputs(DType::Float32);
  return c;
}

/// Distances for a box given by its corners, which must be exact at this cell, and the score of one class.
inline void put_corners(Case& c, std::int64_t y, std::int64_t x, const std::array<float, 4>& box, float score,
                        std::int64_t class_id = 0) {
  const float stride = static_cast<float>(c.params.model_input_size.width) / static_cast<float>(c.inputs[0].shape[1]);
  const auto rows_per_tile = static_cast<std::int64_t>(c.inputs[0].shape[0]) / c.params.mosaic.rows;
  const auto cols_per_tile = static_cast<std::int64_t>(c.inputs[0].shape[1]) / c.params.mosaic.cols;
  const float ax = static_cast<float>(x % cols_per_tile) + 0.5f, ay = static_cast<float>(y % rows_per_tile) + 0.5f;
  const float distances[] = {ax - box[0] / stride, ay - box[1] / stride, box[2] / stride - ax, box[3] / stride - ay};
  for (std::int64_t side = 0; side < 4; ++side) c.put(0, y, x, side, distances[side]);
  c.put(1, y, x, class_id, score);
}

/// Says how many cases a group compared, for the log and the result file; a group that compared none fails.
inline void report_cases(const char* group, long cases) {
  ::testing::Test::RecordProperty("cases", static_cast<int>(cases));
  std::printf("[ cases    ] %s %ld\n", group, cases);
  EXPECT_GT(cases, 0) << group;
}

}  // namespace tessera::boxdecode::testing
