#include <gtest/gtest.h>

#include "eval/read/readers.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

std::string why(std::string_view text) {
  const auto read = parse_yolo_text(text, "a.txt", 100, 50);
  return read ? "" : read.error().message;
}

TEST(YoloText, Read) {
  const auto objects = parse_yolo_text("3 0.5 0.5 0.25 1\r\n\n  0\t0.25 .5 0.5 0.5  ", "a.txt", 100, 50);
  ASSERT_TRUE(objects.has_value()) << objects.error().message;
  ASSERT_EQ(objects->size(), 2u);
  EXPECT_EQ((*objects)[0].class_id, 3);
  EXPECT_EQ((*objects)[0].box, (Box{37.5, 0, 25, 50}));
  EXPECT_EQ((*objects)[1].box, (Box{0, 12.5, 50, 25}));
  EXPECT_TRUE(parse_yolo_text("", "a.txt", 1, 1)->empty());
}

TEST(YoloText, Refused) {
  EXPECT_EQ(why("0 0.5 0.5 0.5"), "a.txt: line 1: want five numbers, class cx cy w h");
  EXPECT_EQ(why("0 0.5 0.5 0.5 0.5 0.9"), "a.txt: line 1: want five numbers, class cx cy w h");
  EXPECT_EQ(why("\n0 0.5 x 0.5 0.5"), "a.txt: line 2: want five numbers, class cx cy w h");
  EXPECT_EQ(why("0 0.5 nan 0.5 0.5"), "a.txt: line 1: want five numbers, class cx cy w h");
  EXPECT_EQ(why("-1 0.5 0.5 0.5 0.5"), "a.txt: line 1: class -1 is no whole number from 0 to 65535");
  EXPECT_EQ(why("1.5 0.5 0.5 0.5 0.5"), "a.txt: line 1: class 1.5 is no whole number from 0 to 65535");
  EXPECT_EQ(why("70000 0.5 0.5 0.5 0.5"), "a.txt: line 1: class 70000 is no whole number from 0 to 65535");
  EXPECT_EQ(why("0 5000 0.5 0.5 0.5"), "a.txt: line 1: 5000 is no share of the photo: want 0 to 1");
}

}  // namespace
}  // namespace tessera::eval
