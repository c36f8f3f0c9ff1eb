#include "eval/saved_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/test_data.h"
#include "pipeline/test_detector.h"

namespace tessera::eval {
namespace {

using ::tessera::test::TempFolder;

TEST(SavedRun, ComesBackToTheLastBit) {
  const TempFolder t;
  auto [data, found] = test::random_set(4);
  found.boxes[0].score = 0.1 + 0.2;
  found.boxes[0].box.x = 1.0 / 3;
  found.seen.assign(data.photos.size(), true);
  found.seen[2] = false;
  auto out = TextOut::file(t.path() / "run.json");
  ASSERT_TRUE(write_run(*out, data, found).has_value());
  ASSERT_TRUE(out->close().has_value());
  const auto back = read_detections(t.path() / "run.json", data);
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->boxes, found.boxes);
  EXPECT_EQ(back->seen, found.seen);
}

TEST(SavedRun, Empty) {
  const TempFolder t;
  const auto data = test::dataset(1, 2);
  auto out = TextOut::file(t.path() / "run.json");
  ASSERT_TRUE(write_run(*out, data, {}).has_value());
  ASSERT_TRUE(out->close().has_value());
  EXPECT_EQ(t.read("run.json"), "{\"photos\":[1,2],\n\"detections\":[]}\n");
}

}  // namespace
}  // namespace tessera::eval
