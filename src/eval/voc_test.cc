#include "eval/voc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "eval/overlap.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::dataset;
using test::object;
using test::scored;

constexpr Box kBox{10, 10, 39, 39};  // 40 x 40 pixels

TEST(Voc, PixelsBelongToTheBox) {
  EXPECT_EQ(voc_iou({0, 0, 0, 0}, {0, 0, 0, 0}), 1);        // one pixel
  EXPECT_EQ(voc_iou({0, 0, 1, 0}, {1, 0, 1, 0}), 1.0 / 3);  // two pixels each, one shared
  EXPECT_EQ(voc_iou({0, 0, 1, 1}, {2, 0, 1, 1}), 0);        // neighbours
  EXPECT_EQ(voc_iou({0, 0, -3, 4}, {0, 0, 4, 4}), 0);       // no box at all
}

TEST(Voc, SecondDetectionOfAnObjectIsAMiss) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox), object(0, 0, {200, 200, 39, 39})};
  const VocScore score = score_voc(data, {{scored(0, 0, kBox, 0.9), scored(0, 0, kBox, 0.8)}, {}, 0});
  EXPECT_EQ(score.categories[0].hits, 1);
  EXPECT_EQ(score.categories[0].misses, 1);
  EXPECT_EQ(score.every_point, 0.5);
  EXPECT_NEAR(score.eleven_point, 6.0 / 11, 1e-15);  // recalls 0 ... 0.5
}

TEST(Voc, DifficultCountsForNothing) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox), object(0, 0, {200, 200, 39, 39})};
  data.objects[1].difficult = true;
  const VocScore score = score_voc(data, {{scored(0, 0, {200, 200, 39, 39}, 0.9), scored(0, 0, kBox, 0.8)}, {}, 0});
  EXPECT_EQ(score.categories[0].objects, 1);
  EXPECT_EQ(score.categories[0].misses, 0);
  EXPECT_EQ(score.every_point, 1);
  data.objects[0].difficult = true;
  EXPECT_EQ(score_voc(data, {}).every_point, -1);
}

TEST(Voc, TakesNoSecondChoice) {
  auto data = dataset(1, 1);
  data.objects = {object(0, 0, kBox), object(0, 0, {12, 10, 39, 39})};
  // The second overlaps both; its best is taken. COCO's rules would give it the other object.
  const VocScore score = score_voc(data, {{scored(0, 0, kBox, 0.9), scored(0, 0, {10, 10, 39, 39}, 0.8)}, {}, 0});
  EXPECT_EQ(score.categories[0].hits, 1);
  EXPECT_EQ(score.categories[0].misses, 1);
}

/// By the definition: one list over all photos, precision and recall counted anew at every cut.
struct Twin {
  double every = 0, eleven = 0;
};
Twin twin(const Dataset& data, const Detections& found, int category) {
  std::vector<Scored> sorted;  // ties: by photo, then file
  for (const Scored& d : found.boxes) {
    if (d.category == category) sorted.push_back(d);
  }
  std::ranges::stable_sort(sorted, std::ranges::less{}, &Scored::photo);
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Scored::score);
  double objects = 0, hits = 0, seen = 0;
  for (const Object& o : data.objects) objects += o.category == category && !o.crowd && !o.difficult;
  std::set<const Object*> taken;
  std::vector<std::pair<double, double>> curve;
  for (const Scored& d : sorted) {
    const Object* best = nullptr;
    for (const Object& o : data.objects) {
      if (o.photo != d.photo || o.category != category) continue;
      if (best == nullptr || voc_iou(d.box, o.box) > voc_iou(d.box, best->box)) best = &o;
    }
    const bool near = best != nullptr && voc_iou(d.box, best->box) >= 0.5;
    if (near && (best->crowd || best->difficult)) continue;
    ++seen;
    if (near && taken.insert(best).second) ++hits;
    curve.emplace_back(hits / objects, hits / seen);
  }
  const auto best_from = [&](double recall) {
    double best = 0;
    for (const auto& [r, p] : curve) best = r >= recall ? std::max(best, p) : best;
    return best;
  };
  Twin out;
  for (int i = 0; i <= 10; ++i) out.eleven += best_from(i * 0.1) / 11;
  for (int hit = 1; hit <= static_cast<int>(hits); ++hit) out.every += best_from(hit / objects) / objects;
  return out;
}

TEST(Voc, EqualsTheDefinition) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    auto [data, found] = test::random_set(seed);
    std::mt19937 random(seed);
    for (Object& o : data.objects) o.difficult = random() % 5 == 0;
    const VocScore score = score_voc(data, found);
    for (int k = 0; k < 4; ++k) {
      const VocCategory& got = score.categories[static_cast<std::size_t>(k)];
      if (got.objects == 0) continue;
      const Twin want = twin(data, found, k);
      EXPECT_NEAR(got.every_point, want.every, 1e-12) << "seed " << seed;
      EXPECT_NEAR(got.eleven_point, want.eleven, 1e-12) << "seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace tessera::eval
