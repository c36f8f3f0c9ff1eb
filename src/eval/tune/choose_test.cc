#include "eval/tune/choose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/tune/record.h"

namespace tessera::eval {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

MeasuredPoint point(int size, std::vector<double> ms, double tuned, double held_out) {
  MeasuredPoint p;
  p.point.width = p.point.height = size;
  p.ms = std::move(ms);
  p.tuned = {tuned, tuned / 2};
  p.held_out = {held_out, held_out / 2};
  p.photos = 10;
  return p;
}

/// Fast and poor, middling, slow and good, slower and worse, and one that cannot run.
std::vector<MeasuredPoint> five() {
  std::vector<MeasuredPoint> points{point(128, {1.0, 1.2, 0.9}, 0.40, 0.41), point(256, {2.0, 2.1, 9.0}, 0.50, 0.47),
                                    point(512, {5.0, 4.0}, 0.60, 0.61), point(640, {7.0}, 0.55, 0.70),
                                    point(100, {}, -1, -1)};
  points[4].error = "no such stride";
  return points;
}

TEST(TuneChoice, MedianAndFastest) {
  EXPECT_EQ(five()[1].median_ms(), 2.1);  // the slow round does not count
  EXPECT_EQ(five()[1].fastest_ms(), 2.0);
  EXPECT_EQ(five()[2].median_ms(), 4.5);  // even: the mean of the middle two
}

TEST(TuneChoice, FloorTakesTheFastestAboveFloorAndMargin) {
  const Choice choice = choose(five(), {.floor = 0.49, .margin = 0.005, .budget = {}});
  EXPECT_EQ(choice.chosen, 1u);
  EXPECT_THAT(choice.summary, StartsWith("256 1x1 single stretch 1x1: 2.1 ms per photo, mAP@50 0.5000"));
  EXPECT_THAT(choice.summary, HasSubstr("held-out half 0.4700, which is below the floor of 0.4900"));
  EXPECT_EQ(choice.verdicts[0].reason, "mAP@50 0.4000 is below the floor of 0.4900");
  EXPECT_EQ(choice.verdicts[2].reason, "slower: 4.5 ms against 2.1 ms for 0.6000 against 0.5000");
  EXPECT_EQ(choice.verdicts[4].reason, "did not run: no such stride");
}

TEST(TuneChoice, AThinMarginIsNotTaken) {
  const Choice choice = choose(five(), {.floor = 0.498, .margin = 0.005, .budget = {}});
  EXPECT_EQ(choice.chosen, 2u);
  EXPECT_EQ(choice.verdicts[1].reason, "mAP@50 0.5000 is above the floor by less than the margin of 0.0050");
}

TEST(TuneChoice, BudgetTakesTheMostAccurateWithin) {
  const Choice choice = choose(five(), {.floor = {}, .margin = 0, .budget = 4.5});
  EXPECT_EQ(choice.chosen, 2u);
  EXPECT_EQ(choice.verdicts[3].reason, "7 ms is over the budget of 4.5 ms");
  EXPECT_EQ(choice.verdicts[0].reason, "less accurate: 0.4000 against 0.6000");
}

TEST(TuneChoice, FrontierLeavesOutWhatIsWorseInBoth) {
  std::vector<bool> front;
  for (const Verdict& verdict : choose(five(), {}).verdicts) front.push_back(verdict.on_frontier);
  EXPECT_EQ(front, (std::vector<bool>{true, true, true, false, false}));
  std::vector<MeasuredPoint> equal{point(1, {1}, 0.5, 0), point(2, {1}, 0.5, 0)};
  EXPECT_TRUE(choose(equal, {}).verdicts[0].on_frontier);  // equals do not push each other out
  EXPECT_TRUE(choose(equal, {}).verdicts[1].on_frontier);
}

TEST(TuneChoice, SaysWhyThereIsNone) {
  EXPECT_THAT(choose(five(), {.floor = 0.9, .margin = 0.01, .budget = {}}).summary,
              HasSubstr("no point reaches 0.9100"));
  EXPECT_THAT(choose(five(), {.floor = {}, .margin = 0, .budget = 0.1}).summary, HasSubstr("within 0.1 ms"));
  EXPECT_FALSE(choose(five(), {}).chosen.has_value());
}

std::span<const std::byte> bytes(const std::string& s) { return std::as_bytes(std::span(s)); }

TEST(TuneRecord, GoesOnFromWhatWasWritten) {
  const auto points = five();
  const ChoiceRule rule{.floor = 0.49};
  const std::string json = tune_json({.fingerprint = "f", .rounds = 3}, points, rule, choose(points, rule));
  auto again = five();
  for (MeasuredPoint& p : again) p.ms.clear(), p.error.clear(), p.tuned = {};
  again.push_back(point(999, {}, -1, -1));  // new in this run
  EXPECT_EQ(take_over(bytes(json), "f", again).value(), 9u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(again[i].ms, points[i].ms);
    EXPECT_EQ(again[i].tuned.map_50, points[i].tuned.map_50);
    EXPECT_EQ(again[i].held_out.map_50_95, points[i].held_out.map_50_95);
    EXPECT_EQ(again[i].error, points[i].error);
  }
  EXPECT_TRUE(again[5].ms.empty());
}

TEST(TuneRecord, RefusesOtherTuningsAndOtherFiles) {
  const auto points = five();
  const std::string json = tune_json({.fingerprint = "f"}, points, {}, choose(points, {}));
  auto again = five();
  EXPECT_EQ(take_over(bytes(json), "g", again).error().code, Code::invalid_argument);
  for (const std::string broken :
       {"", "[]", "{}", "{\"fingerprint\":3}", "{\"fingerprint\":\"f\",\"points\":[{}]}",
        "{\"fingerprint\":\"f\",\"points\":[{\"name\":\"128 1x1 single stretch 1x1\",\"ms\":[\"x\"]}]}"}) {
    const auto taken = take_over(bytes(broken), "f", again);
    ASSERT_FALSE(taken.has_value()) << broken;
    EXPECT_EQ(taken.error().code, Code::corrupt) << broken;
  }
  EXPECT_EQ(again[0].ms, points[0].ms);  // nothing half taken
}

TEST(OperatingPoint, NamesAndCommandsTellPointsApart) {
  OperatingPoint p;
  p.width = p.height = 640;
  p.mosaic = {2, 2};
  EXPECT_TRUE(set_box_step(p, "v2"));
  p.workers = 2;
  p.disabled = {"winograd"};
  EXPECT_EQ(p.name(), "640 2x2 v2 stretch 2x1 -winograd");
  EXPECT_EQ(p.command(),
            "--size 640 --mosaic 2x2 --multi-label --power-rank --voting 0.75 --edge-penalty 0.5 --max-per-class 100 "
            "--stretch --workers 2 --threads 1 --disable winograd");
  p.mosaic = {1, 1};
  p.height = 384;
  p.letterbox = true;
  EXPECT_TRUE(set_box_step(p, "single"));
  p.disabled.clear();
  EXPECT_EQ(p.name(), "640x384 1x1 single letterbox 2x1");
  EXPECT_EQ(p.command(), "--size 640x384 --letterbox --workers 2 --threads 1");
  EXPECT_FALSE(set_box_step(p, "v3"));
}

}  // namespace
}  // namespace tessera::eval
