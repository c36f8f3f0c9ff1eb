#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/read/readers.h"
#include "eval/test_data.h"
#include "pipeline/test_detector.h"

namespace tessera::eval {
namespace {

using ::tessera::test::Picture;
using ::tessera::test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::string voc(std::string_view file, std::string_view name) {
  return "<annotation><filename>" + std::string(file) + "</filename><object><name>" + std::string(name) +
         "</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>5</xmax><ymax>6</ymax></bndbox></object></annotation>";
}
std::vector<std::int64_t> photo_ids(const Dataset& d) {
  std::vector<std::int64_t> ids;
  for (const Photo& p : d.photos) ids.push_back(p.id);
  return ids;
}
std::vector<std::string> names(const Dataset& d) {
  std::vector<std::string> out;
  for (const Category& c : d.categories) out.push_back(c.name);
  return out;
}

TEST(Annotations, VocFolder) {
  const TempFolder t;
  t.write("b_12.xml", voc("b_12.jpg", "zebra thing"));
  t.write("a_30.xml", voc("", "apple thing"));
  t.write("readme.md", "");
  const auto d = read_annotations(t.path(), {});
  ASSERT_TRUE(d.has_value()) << d.error().message;
  EXPECT_THAT(photo_ids(*d), ElementsAre(12, 30));
  EXPECT_EQ(d->photos[1].file, "a_30.jpg");
  EXPECT_THAT(names(*d), ElementsAre("apple thing", "zebra thing"));
  ASSERT_EQ(d->objects.size(), 2u);
  const Object& zebra = d->objects[d->objects[0].photo == 0 ? 0 : 1];
  EXPECT_EQ(zebra.category, 1);
  EXPECT_EQ(zebra.box, (Box{1, 2, 4, 4}));
  EXPECT_EQ(zebra.area, 16);
}

TEST(Annotations, NumbersThatCollideGiveWayToOrder) {
  const TempFolder t;
  t.write("2007_5.xml", voc("2007_5.jpg", "x"));
  t.write("2008_5.xml", voc("2008_5.jpg", "x"));
  EXPECT_THAT(photo_ids(*read_annotations(t.path(), {})), ElementsAre(1, 2));
}

TEST(Annotations, GivenNamesOrderTheCategories) {
  const TempFolder t;
  t.write("1.xml", voc("1.jpg", "b"));
  const auto d = read_annotations(t.path(), {.names = {"c", "b"}});
  EXPECT_THAT(names(*d), ElementsAre("c", "b"));
  EXPECT_EQ(d->objects[0].category, 1);
  EXPECT_THAT(read_annotations(t.path(), {.names = {"c"}}).error().message,
              HasSubstr("1.xml: 'b' is none of the class names given"));
}

TEST(Annotations, CocoNamesGetCocoIds) {
  const TempFolder t;
  t.write("1.xml", voc("1.jpg", "zebra"));
  EXPECT_EQ(read_annotations(t.path(), {})->categories[0].id, 1);  // one name is not the 80
}

TEST(Annotations, YoloFolder) {
  const TempFolder t;
  t.write("images/1.ppm", Picture(20, 10, 0).ppm());
  t.write("images/2.ppm", Picture(20, 10, 0).ppm());
  t.write("images/3.ppm", "no picture");
  t.write("labels/1.txt", "1 0.5 0.5 0.5 1\n");
  t.write("labels/3.txt", "0 0.5 0.5 0.5 1\n");
  t.write("labels/9.txt", "0 0.5 0.5 0.5 1\n");
  const auto labels = t.path() / "labels";
  const auto d = read_annotations(labels, {.images = t.path() / "images"});
  ASSERT_TRUE(d.has_value()) << d.error().message;
  EXPECT_THAT(photo_ids(*d), ElementsAre(1, 2));  // 2 has no label: no objects
  ASSERT_EQ(d->objects.size(), 1u);
  EXPECT_EQ(d->objects[0].box, (Box{5, 0, 10, 10}));
  EXPECT_THAT(names(*d), ElementsAre("class 0", "class 1"));
  EXPECT_EQ(d->left_out, 1u);  // 9.txt
  ASSERT_EQ(d->unreadable.size(), 1u);
  EXPECT_THAT(d->unreadable[0], HasSubstr("3.ppm: "));

  EXPECT_THAT(names(*read_annotations(labels, {.images = t.path() / "images", .names = {"x", "y", "z"}})),
              ElementsAre("x", "y", "z"));
  EXPECT_THAT(read_annotations(labels, {.images = t.path() / "images", .names = {"x"}}).error().message,
              HasSubstr("class 1 is used, but only 1 classes have names"));
  t.write("labels/classes.txt", "dog\ncat\n");
  EXPECT_THAT(names(*read_annotations(labels, {.images = t.path() / "images", .model_names = {"x"}})),
              ElementsAre("dog", "cat"));
  EXPECT_THAT(read_annotations(labels, {}).error().message, HasSubstr("give the folder of photos"));
  t.write("labels/1.txt", "1 0.5\n");
  EXPECT_THAT(read_annotations(labels, {.images = t.path() / "images"}).error().message,
              HasSubstr("1.txt: line 1: want"));
}

TEST(Annotations, Refused) {
  const TempFolder t;
  EXPECT_EQ(read_annotations(t.path() / "none.json", {}).error().code, Code::not_found);
  EXPECT_THAT(read_annotations(t.path(), {}).error().message, HasSubstr("holds no .xml and no .txt file"));
  t.write("a.xml", "");
  EXPECT_THAT(read_annotations(t.path(), {}).error().message, HasSubstr("a.xml: byte 0"));
  t.write("a.txt", "");
  EXPECT_THAT(read_annotations(t.path(), {}).error().message, HasSubstr("holds .xml and .txt files"));
  EXPECT_EQ(read_detections(t.path() / "none.json", {}).error().code, Code::not_found);
}

}  // namespace
}  // namespace tessera::eval
