#include "eval/coco.h"

#include <gtest/gtest.h>

#include "eval/coco_match.h"
#include "eval/coco_reference.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::dataset;
using test::object;
using test::scored;

constexpr Box kBox{10, 10, 40, 40};

TEST(Coco, ThresholdsAreNumPys) {
  // python3 -c "import numpy; print([float(t).hex() for t in numpy.linspace(0.5, 0.95, 10)])", NumPy 2.4.6
  constexpr double kNumPy[]{0x1.0000000000000p-1, 0x1.199999999999ap-1, 0x1.3333333333333p-1, 0x1.4cccccccccccdp-1,
                            0x1.6666666666666p-1, 0x1.8000000000000p-1, 0x1.999999999999ap-1, 0x1.b333333333333p-1,
                            0x1.cccccccccccccp-1, 0x1.e666666666666p-1};
  for (int t = 0; t < kThresholds; ++t) EXPECT_EQ(iou_threshold(t), kNumPy[t]) << t;
}

/// The sums are the same up to order: at most 10 * 101 * categories terms of at most 1, each rounded.
constexpr double kTolerance = 1e-12;

TEST(Coco, EqualsTheDefinition) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto [data, found] = test::random_set(seed);
    const auto got = named(score_coco(data, found).stats);
    const auto want = named(test::CocoReference(data, found).stats());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i].value, want[i].value, kTolerance) << got[i].name << ", seed " << seed;
    }
  }
}

TEST(Coco, NothingToFind) {
  for (const NamedStat& s : named(score_coco(Dataset{}, Detections{}).stats)) EXPECT_EQ(s.value, -1) << s.name;
  auto data = dataset(1, 1);
  Detections found{{scored(0, 0, kBox, 0.9)}, {}, 0};
  for (const NamedStat& s : named(score_coco(data, found).stats)) EXPECT_EQ(s.value, -1) << s.name;
  data.objects.push_back(object(0, 0, kBox, true));  // a crowd alone counts for nothing
  for (const NamedStat& s : named(score_coco(data, found).stats)) EXPECT_EQ(s.value, -1) << s.name;
}

TEST(Coco, NothingFound) {
  auto data = dataset(2, 2);
  data.objects.push_back(object(0, 0, kBox));
  const CocoStats stats = score_coco(data, {}).stats;
  EXPECT_EQ(stats.ap, 0);
  EXPECT_EQ(stats.ar100, 0);
  EXPECT_EQ(stats.ap_medium, 0);
  EXPECT_EQ(stats.ap_small, -1);  // no small object
}

TEST(Coco, ExactFitIsFoundAtEveryThreshold) {
  auto data = dataset(1, 1);
  data.objects.push_back(object(0, 0, kBox));
  const CocoStats stats = score_coco(data, {{scored(0, 0, kBox, 0.5)}, {}, 0}).stats;
  EXPECT_NEAR(stats.ap, 1, 1e-15);
  EXPECT_EQ(stats.ar1, 1);
}

TEST(Coco, CrowdTakesAnyNumberAndCountsForNothing) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox), object(0, 0, {100, 100, 80, 80}, true)};
  Detections found{{scored(0, 0, {110, 110, 10, 10}, 0.9), scored(0, 0, {120, 120, 10, 10}, 0.8),
                    scored(0, 0, {130, 130, 10, 10}, 0.7), scored(0, 0, kBox, 0.6)},
                   {},
                   0};
  EXPECT_NEAR(score_coco(data, found).stats.ap50, 1, 1e-15);
  data.objects[1].crowd = false;  // now three misses come before the hit: precision 1/4 up to recall 1/2
  EXPECT_NEAR(score_coco(data, found).stats.ap50, 51 * 0.25 / 101, 1e-15);
}

TEST(Coco, LimitsPerPhoto) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox)};
  Detections found;
  for (int i = 0; i < 100; ++i) found.boxes.push_back(scored(0, 0, {300, 300, 40, 40}, 0.9));
  found.boxes.push_back(scored(0, 0, kBox, 0.5));  // the 101st
  EXPECT_EQ(score_coco(data, found).stats.ar100, 0);
  found.boxes.erase(found.boxes.begin());
  EXPECT_EQ(score_coco(data, found).stats.ar100, 1);
  EXPECT_EQ(score_coco(data, found).stats.ar10, 0);
}

TEST(Coco, EqualScoresKeepTheirOrder) {
  auto data = dataset(1, 2);
  data.objects = {object(0, 0, kBox), object(1, 0, kBox)};
  const Scored hit = scored(1, 0, kBox, 0.5), miss = scored(1, 0, {200, 200, 40, 40}, 0.5);
  const Scored miss_in_first_photo = scored(0, 0, {200, 200, 40, 40}, 0.5);
  const auto ap50 = [&](std::vector<Scored> boxes) { return score_coco(data, {std::move(boxes), {}, 0}).stats.ap50; };
  EXPECT_NEAR(ap50({hit, miss}), 51.0 / 101, 1e-15);
  EXPECT_NEAR(ap50({miss, hit}), 51 * 0.5 / 101, 1e-15);
  EXPECT_NEAR(ap50({hit, miss_in_first_photo}), 51 * 0.5 / 101, 1e-15);  // photos by id, whatever the file's order
}

TEST(Coco, MatchWithAnnotationZeroCountsAsNone) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox)};
  data.objects[0].match_counts = false;
  const CocoStats stats = score_coco(data, {{scored(0, 0, kBox, 0.5)}, {}, 0}).stats;
  EXPECT_EQ(stats.ap, 0);
  EXPECT_EQ(stats.ar100, 0);
}

TEST(Coco, AreaOfTheOutlineDecidesTheRange) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox)};  // 1600 pixels: medium
  data.objects[0].area = 900;           // its outline: small
  const CocoStats stats = score_coco(data, {{scored(0, 0, kBox, 0.5)}, {}, 0}).stats;
  EXPECT_NEAR(stats.ap_small, 1, 1e-15);
  EXPECT_EQ(stats.ap_medium, -1);
}

TEST(Coco, CategoriesApart) {
  auto data = dataset(3, 1);
  data.objects = {object(0, 0, kBox), object(0, 1, kBox)};
  const CocoScore score = score_coco(data, {{scored(0, 0, kBox, 0.5), scored(0, 2, kBox, 0.5)}, {}, 0});
  EXPECT_NEAR(score.categories[0].ap, 1, 1e-15);
  EXPECT_EQ(score.categories[1].ap, 0);
  EXPECT_EQ(score.categories[2].ap, -1);
  EXPECT_EQ(score.categories[2].detections, 1);
  EXPECT_NEAR(score.stats.ap, 0.5, 1e-15);
}

}  // namespace
}  // namespace tessera::eval
