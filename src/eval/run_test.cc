#include "eval/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/coco.h"
#include "eval/test_data.h"
#include "pipeline/test_detector.h"

namespace tessera::eval {
namespace {

using ::tessera::test::Picture;
using ::tessera::test::TempFolder;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// White photos have four objects of class 0, 16x16 in the middle of each quarter; black ones have none.
const std::vector<Box> kWhiteBoxes{{8, 8, 16, 16}, {40, 8, 16, 16}, {8, 40, 16, 16}, {40, 40, 16, 16}};

struct Set {
  TempFolder folder;
  Dataset dataset;
  Set() {
    dataset.categories = {{5, "other"}, {9, "white thing"}};
    dataset.photos = {{1, "white.ppm"}, {2, "black.ppm"}, {3, "bad.ppm"}, {4, "absent.ppm"}};
    for (const Box& box : kWhiteBoxes) dataset.objects.push_back(test::object(0, 1, box));
    folder.write("white.ppm", Picture(64, 64, 255).ppm());
    folder.write("black.ppm", Picture(64, 64, 0).ppm());
    folder.write("bad.ppm", "P6 nothing");
  }
};

TEST(Run, PhotosAreFoundByName) {
  Set set;
  set.folder.write("sub/deep.ppm", "x");
  set.folder.write("other.png", "x");
  set.dataset.photos = {{1, "white.ppm"}, {2, "val/black.ppm"}, {3, "sub/deep.ppm"}, {4, "other.jpg"}, {5, "gone.jpg"},
                        {6, ""},          {7, "../white.ppm"}};
  const auto found = find_photos(set.dataset, set.folder.path());
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->photos, ElementsAre(0, 1, 2, 3, 6));
  EXPECT_THAT(found->paths[2], EndsWith("/sub/deep.ppm"));
  EXPECT_THAT(found->paths[3], EndsWith("/other.png"));
  EXPECT_EQ(found->paths[4], found->paths[0]);  // not outside the folder
  EXPECT_EQ(found->absent, 2u);
}

TEST(Run, NoPhotoFound) {
  Set set;
  set.dataset.photos = {{1, "gone.jpg"}};
  EXPECT_THAT(find_photos(set.dataset, set.folder.path()).error().message, HasSubstr("holds none of the 1 photos"));
  EXPECT_EQ(find_photos(set.dataset, set.folder.path() / "none").error().code, Code::not_found);
}

TEST(Run, ClassesByNameInEitherSpelling) {
  Dataset data;
  data.categories = {{5, "airplane"}, {9, "dog"}};
  const auto map = map_classes(data, {"dog", "aeroplane", "unicorn"});
  EXPECT_THAT(map->category, ElementsAre(1, 0, -1));
  EXPECT_EQ(map->unknown, 1u);
  EXPECT_THAT(map_classes(data, {"unicorn"}).error().message, HasSubstr("none of the model's 1 classes"));
  EXPECT_THAT(map_classes(data, {}).error().message, HasSubstr("no class names"));
}

TEST(Run, DetectsAndScores) {
  Set set;
  auto detector = Detector::load(::tessera::test::tiny_options());
  ASSERT_TRUE(detector.has_value());
  const auto files = find_photos(set.dataset, set.folder.path());
  const auto classes = map_classes(set.dataset, detector->class_names());
  std::vector<std::string> failures;
  std::size_t last_done = 0;
  RunOptions options;
  options.on_failed = [&](std::string_view, const Error& e) { failures.push_back(e.message); };
  options.on_progress = [&](const RunSummary& summary) { last_done = summary.photos + summary.failed; };
  const auto run = run_detector(set.dataset, *files, *classes, *detector, options);
  ASSERT_TRUE(run.has_value()) << run.error().message;
  EXPECT_EQ(run->photos, 2u);
  EXPECT_EQ(run->failed, 1u);
  EXPECT_EQ(last_done, 3u);
  EXPECT_THAT(failures, ElementsAre(HasSubstr("bad.ppm: ")));
  EXPECT_EQ(run->detections.seen, (std::vector<bool>{true, true, false, false}));
  ASSERT_EQ(run->detections.boxes.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run->detections.boxes[i].box, kWhiteBoxes[i]);
    EXPECT_EQ(run->detections.boxes[i].category, 1);
  }
  EXPECT_GT(run->first_seconds, 0);
  EXPECT_GE(run->seconds, run->first_seconds);
  EXPECT_DOUBLE_EQ(run->ms_per_photo() * 3, run->first_photo_ms() + 2 * run->steady_ms_per_photo());
  const Dataset scored = only_photos(set.dataset, run->detections.seen);
  EXPECT_EQ(scored.photos.size(), 2u);
  EXPECT_NEAR(score_coco(scored, only_photos(run->detections, run->detections.seen)).stats.ap, 1, 1e-15);
}

TEST(Run, StopsBetweenPhotos) {
  Set set;
  auto detector = Detector::load(::tessera::test::tiny_options());
  const auto files = find_photos(set.dataset, set.folder.path());
  const auto classes = map_classes(set.dataset, detector->class_names());
  RunOptions options;
  options.stopped = [] { return true; };
  const auto run = run_detector(set.dataset, *files, *classes, *detector, options);
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->stopped);
  EXPECT_EQ(run->photos, 0u);
  EXPECT_EQ(run->ms_per_photo(), 0);
}

TEST(Run, OnlyTheChosenPhotosRemain) {
  const auto [data, found] = test::random_set(2);
  std::vector<bool> keep(data.photos.size());
  keep[3] = keep[7] = true;
  const Dataset some = only_photos(data, keep);
  const Detections their = only_photos(found, keep);
  ASSERT_EQ(some.photos.size(), 2u);
  EXPECT_EQ(some.photos[1].id, data.photos[7].id);
  EXPECT_EQ(some.objects.size(), static_cast<std::size_t>(std::ranges::count_if(
                                     data.objects, [](const Object& o) { return o.photo == 3 || o.photo == 7; })));
  for (const Object& o : some.objects) EXPECT_LT(o.photo, 2);
  for (const Scored& d : their.boxes) EXPECT_LT(d.photo, 2);
  EXPECT_FALSE(their.boxes.empty());
}

}  // namespace
}  // namespace tessera::eval
