// Non-maximum suppression through whole executions: coarse coordinates and scores, so that exact ties of scores and of
// overlaps are common, against the O(n^2) rule of the slow twin.

#include <gtest/gtest.h>

#include <map>

#include "boxdecode/testing/choices.h"
#include "boxdecode/testing/expect.h"

namespace tessera::boxdecode::testing {
namespace {

void choose_rules(Choices& choices, Params& p) {
  p.detection_threshold = 0.25f;
  p.nms_iou_threshold = choices.pick({0.0f, 0.25f, 0.33333334f, 0.45f, 0.5f, 0.75f, 1.0f});
  p.max_detections = choices.one_in(3) ? choices.between(1, 4) : choices.between(4, 60);
  p.nms_class_agnostic = choices.one_in(3);
  if (choices.one_in(3)) p.max_per_class = choices.between(1, 5);
  if (choices.one_in(4)) p.candidate_limit = choices.between(1, 30);
  if (choices.one_in(4)) p.voting = Voting{choices.pick({0.0f, 0.5f, 0.75f})};
}

/// YOLOX-like shapes need exponentials; these are distances in sixteenths, exact at every cell.
Case random_set(Choices& choices) {
  const std::int64_t h = choices.between(1, 5), w = choices.between(1, 8);
  const std::int32_t classes = choices.between(1, 4);
  Case c = corners_case(h, w, 16, classes);
  c.params.profile = Profile::YoloV6V1;  // runs NMS at threshold 0 too
  choose_rules(choices, c.params);
  c.params.original_image_size = {1600, 1600};
  c.fit_outputs(DType::Float32);
  const std::int32_t span = choices.pick({4, 12, 40});
  for (std::int64_t cell = 0; cell < h * w; ++cell) {
    const auto at = [&] { return static_cast<float>(choices.between(0, span)); };
    const float x = at(), y = at();
    put_corners(c, cell / w, cell % w, {x, y, x + 1 + at(), y + 1 + at()},
                static_cast<float>(choices.between(0, 4)) / 4.0f, choices.between(0, classes - 1));
  }
  return c;
}

/// Each box overlaps the next by the same share; suppressed ones must not suppress.
Case random_chain(Choices& choices) {
  const std::int64_t n = choices.between(3, 30);
  Case c = corners_case(1, n, 16, 2);
  c.params.profile = Profile::YoloV6V1;
  choose_rules(choices, c.params);
  c.fit_outputs(DType::Float32);
  const auto step = static_cast<float>(choices.between(1, 9));
  const std::int64_t classes = choices.between(1, 2);
  for (std::int64_t i = 0; i < n; ++i) {
    const float x = step * static_cast<float>(i);
    const float score = choices.one_in(2) ? 0.5f : 1.0f - static_cast<float>(i) / 64.0f;
    put_corners(c, 0, i, {x, 0, x + 10, 10}, score, i % classes);
  }
  return c;
}

TEST(BoxDecodeNmsRule, RandomSetsAndChainsEqualTheLiteralRule) {
  SeededChoices choices(77);
  SCOPED_TRACE(choices.where());
  std::map<std::string, int> seen;
  long cases = 0;
  for (int i = 0; i < 12'000; ++i) {
    const Case c = i % 6 == 0 ? random_chain(choices) : random_set(choices);
    const Params& p = c.params;
    const Outcome want = run_reference(c);
    const auto got = run(c);
    ASSERT_TRUE(got) << to_string(got.error());
    ASSERT_EQ(difference(*got, want), "") << "set " << i;
    const std::int32_t count = ints(want.outputs[3])[0];
    seen["suppressed"] += static_cast<std::uint64_t>(count) < want.stats.candidates_kept && count < p.max_detections;
    seen["cut at K"] += static_cast<std::uint64_t>(count) < want.stats.candidates_kept && count == p.max_detections;
    seen["agnostic"] += p.nms_class_agnostic;
    seen["capped"] += p.max_per_class > 0;
    seen["threshold 0"] += p.nms_iou_threshold == 0.0f;
    seen["threshold 1"] += p.nms_iou_threshold == 1.0f;
    ++cases;
  }
  for (const char* what : {"suppressed", "cut at K", "agnostic", "capped", "threshold 0", "threshold 1"}) {
    EXPECT_GT(seen[what], 1000) << what;
  }
  report_cases("N1", cases);
}

// Pairs whose overlap is exactly p/q, judged at the threshold float(p)/float(q) and its neighbours.
TEST(BoxDecodeNmsRule, ExactThresholdPairs) {
  long cases = 0;
  for (int q = 2; q <= 40; ++q) {
    for (int p = 1; p < q; ++p) {
      const float share = static_cast<float>(p) / static_cast<float>(q);
      for (const float threshold : {std::nextafter(share, 0.0f), share, std::nextafter(share, 1.0f)}) {
        Case c = corners_case(1, 2, 64, 1);
        c.params.nms_iou_threshold = threshold;
        put_corners(c, 0, 0, {0, 0, static_cast<float>(q), 1}, 0.9f);
        put_corners(c, 0, 1, {0, 0, static_cast<float>(p), 1}, 0.8f);
        const auto got = run(c);
        ASSERT_TRUE(got) << to_string(got.error());
        ASSERT_EQ(ints(got->outputs[3])[0], threshold < share ? 1 : 2) << p << "/" << q;
        ++cases;
      }
    }
  }
  report_cases("N1 exact", cases);
}

// End-to-end families skip NMS at threshold 0 and only there; the others do not.
TEST(BoxDecodeNmsRule, SkippedAtZeroForEndToEndFamilies) {
  const std::pair<Profile, std::int64_t> kFamilies[] = {
      {Profile::Yolo26RawLtrb, 4}, {Profile::YoloV10V1, 64}, {Profile::YoloV6V1, 4},  {Profile::YoloV6V1, 68},
      {Profile::YoloV8V1, 64},     {Profile::YoloV9V1, 64},  {Profile::Yolo11V1, 64}, {Profile::YoloXV1, 4}};
  for (const auto& [profile, channels] : kFamilies) {
    const bool skips = profile == Profile::Yolo26RawLtrb || profile == Profile::YoloV10V1;
    Case c = separate_case(profile, 1, 3, 1, channels);
    for (std::int64_t i = 0; i < 3; ++i) {
      for (std::int64_t k = 0; k < channels; ++k) c.put(0, 0, i, k, 2.0f);  // boxes much wider than a cell
      for (std::size_t port = 1; port < c.inputs.size(); ++port) c.put(port, 0, i, 0, 5.0f);
    }
    c.params.nms_iou_threshold = 0.0f;
    EXPECT_EQ(ints(decode(c).outputs[3])[0], skips ? 3 : 1) << to_string(profile);
    c.params.nms_iou_threshold = 1e-30f;
    EXPECT_EQ(ints(decode(c).outputs[3])[0], 1) << to_string(profile);
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
