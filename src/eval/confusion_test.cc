#include "eval/confusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/test_data.h"

namespace tessera::eval {

void PrintTo(const ConfusionCell& c, std::ostream* out) {
  *out << c.object << " as " << c.detection << ": " << c.count;
}

namespace {

using test::dataset;
using test::object;
using test::scored;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Box kBox{100, 100, 40, 40};
constexpr Box kFar{300, 300, 40, 40};

TEST(Confusion, RightWrongMissedAndInvented) {
  auto data = dataset(3, 2);
  data.objects = {object(0, 0, kBox), object(0, 1, kFar), object(1, 2, kBox)};
  const Detections found{
      {scored(0, 0, kBox, 0.9), scored(0, 2, kFar, 0.8), scored(1, 1, kFar, 0.7), scored(1, 2, kBox, 0.2)}, {}, 0};
  EXPECT_THAT(confusion_matrix(data, found, 0.25), ElementsAre(ConfusionCell{kNothing, 1, 1}, ConfusionCell{0, 0, 1},
                                                               ConfusionCell{1, 2, 1}, ConfusionCell{2, kNothing, 1}));
  EXPECT_THAT(confusion_matrix(data, found, 0.2), ElementsAre(ConfusionCell{kNothing, 1, 1}, ConfusionCell{0, 0, 1},
                                                              ConfusionCell{1, 2, 1}, ConfusionCell{2, 2, 1}));
}

TEST(Confusion, BestScoreChoosesFirst) {
  auto data = dataset(2, 1);
  data.objects = {object(0, 0, kBox)};
  const Detections found{{scored(0, 0, kBox, 0.6), scored(0, 1, kBox, 0.9)}, {}, 0};
  EXPECT_THAT(confusion_matrix(data, found, 0), ElementsAre(ConfusionCell{kNothing, 0, 1}, ConfusionCell{0, 1, 1}));
}

TEST(Confusion, CrowdsDoNotCount) {
  auto data = dataset(2, 1);
  data.objects = {object(0, 0, {100, 100, 200, 200}, true)};
  const Detections found{{scored(0, 1, {110, 110, 10, 10}, 0.9)}, {}, 0};
  EXPECT_THAT(confusion_matrix(data, found, 0), IsEmpty());
}

TEST(Confusion, AddsUp) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto [data, found] = test::random_set(seed);
    std::int64_t objects = 0;
    for (const ConfusionCell& c : confusion_matrix(data, found, 0)) objects += c.object != kNothing ? c.count : 0;
    EXPECT_EQ(objects, std::ranges::count(data.objects, false, &Object::crowd)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::eval
