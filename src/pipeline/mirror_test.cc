#include "pipeline/mirror.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using testing::ElementsAre;

std::vector<Detection> merge(const MergeRules& rules, std::vector<Detection> out, std::vector<Detection> mirror) {
  MirrorView view(rules);
  const test::Picture photo(100, 2, 0);
  const PhotoView one{photo.view()};
  view.mirrored({&one, 1});
  view.found()[0] = std::move(mirror);
  view.merge_into(0, 100, out);
  return out;
}

TEST(Mirror, ReversesColumnsAndNothingElse) {
  std::vector<std::uint8_t> pixels(2 * 13);  // 2 rows of 4 pixels, one byte of padding each
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i);
  const PhotoView photo{{pixels.data(), 4, 2, 13}, 40, 20};
  MirrorView mirror({});
  const auto views = mirror.mirrored({&photo, 1});
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].full_width, 40);
  EXPECT_EQ(views[0].full_height, 20);
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 4; ++x) EXPECT_EQ(views[0].pixels.pixel(x, y), photo.pixels.pixel(3 - x, y)) << x << ',' << y;
  }
}

TEST(Mirror, TurnsBoxesBackAndOrdersThemByScore) {
  EXPECT_THAT(merge({}, {{0, 0.9f, 10, 0, 20, 10}, {0, 0.5f, 30, 0, 40, 10}}, {{1, 0.7f, 0, 5, 25, 9}}),
              ElementsAre(Detection{0, 0.9f, 10, 0, 20, 10}, Detection{1, 0.7f, 75, 5, 100, 9},
                          Detection{0, 0.5f, 30, 0, 40, 10}));
}

TEST(Mirror, OfTheSameObjectTheBetterViewStays) {
  const Detection seen{0, 0.6f, 10, 0, 20, 10};
  const auto with = [&](float score) { return merge({}, {seen}, {{0, score, 80, 0, 90, 10}}); };
  EXPECT_THAT(with(0.8f), ElementsAre(Detection{0, 0.8f, 10, 0, 20, 10}));
  EXPECT_THAT(with(0.4f), ElementsAre(seen));
  EXPECT_THAT(merge({}, {seen}, {{1, 0.4f, 80, 0, 90, 10}}), testing::SizeIs(2));  // another class
  MergeRules agnostic;
  agnostic.class_agnostic = true;
  EXPECT_THAT(merge(agnostic, {seen}, {{1, 0.4f, 80, 0, 90, 10}}), ElementsAre(seen));
}

TEST(Mirror, LimitsHoldForBothViewsTogether) {
  const std::vector<Detection> own{{0, 0.9f, 0, 0, 9, 9}, {1, 0.8f, 20, 0, 29, 9}}, other{{0, 0.85f, 0, 0, 9, 9}};
  MergeRules rules;
  rules.max_detections = 2;
  EXPECT_THAT(merge(rules, own, other), ElementsAre(own[0], Detection{0, 0.85f, 91, 0, 100, 9}));
  rules = {};
  rules.max_per_class = 1;
  EXPECT_THAT(merge(rules, own, other), ElementsAre(own[0], own[1]));
}

// The tiny network answers for one cell alone, so a symmetric photo gives the same boxes twice, and they become one.
TEST(Mirror, ASymmetricPhotoGivesWhatOneViewGives) {
  auto plain = Detector::load(test::tiny_options());
  DetectorOptions options = test::tiny_options();
  options.flip = true;
  auto both = Detector::load(options);
  ASSERT_TRUE(both.has_value()) << both.error().message;
  const test::Picture white(64, 64, 255);
  auto found = *both->detect(white.view());
  auto want = *plain->detect(white.view());
  const auto by_place = [](const Detection& a, const Detection& b) {
    return std::pair(a.y1, a.x1) < std::pair(b.y1, b.x1);
  };
  std::ranges::sort(found, by_place);
  std::ranges::sort(want, by_place);
  EXPECT_EQ(found, want);
}

}  // namespace
}  // namespace tessera
