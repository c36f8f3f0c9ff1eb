#include "pipeline/category_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using testing::HasSubstr;

std::string id_error(const ImageIds& ids, std::string_view photo) {
  const auto id = ids.find(photo);
  return id ? "no error" : id.error().message;
}

TEST(ImageIds, FromTheDigitsThatEndTheStem) {
  const ImageIds ids;
  EXPECT_EQ(ids.find("a/000000000139.jpg").value(), 139);
  EXPECT_EQ(ids.find("COCO_val2014_000000000042.jpg").value(), 42);
  EXPECT_EQ(ids.find("12/7").value(), 7);
  EXPECT_EQ(id_error(ids, "a1/dog.jpg"), "a1/dog.jpg: the name ends in no image id: give --annotations");
  EXPECT_THAT(id_error(ids, "99999999999999999999.jpg"), HasSubstr("ends in no image id"));
  EXPECT_THAT(id_error(ids, "-"), HasSubstr("ends in no image id"));
}

TEST(ImageIds, FromAnnotations) {
  const ImageIds ids({{"dog.jpg", 5}, {"sub/cat.jpg", 6}});
  EXPECT_EQ(ids.find("photos/dog.jpg").value(), 5);
  EXPECT_EQ(ids.find("sub/cat.jpg").value(), 6);
  EXPECT_EQ(id_error(ids, "7.jpg"), "7.jpg: the annotations list no image of this name");
}

TEST(CategoryIds, OfficialOnlyForThe80) {
  EXPECT_EQ(official_coco_id("person"), 1);
  EXPECT_EQ(official_coco_id("toothbrush"), 90);
  EXPECT_EQ(official_coco_id("sofa"), official_coco_id("couch"));
  EXPECT_EQ(official_coco_id("unicorn"), std::nullopt);
  const std::vector<std::string> two{"person", "dog"};  // COCO words, but not its list
  const auto ids = CategoryIds::create(two, 2, nullptr);
  ASSERT_TRUE(ids.has_value());
  EXPECT_EQ((*ids)[0], 1);
  EXPECT_EQ((*ids)[1], 2);
}

TEST(CategoryIds, ByNameFromAnnotations) {
  const CocoIndex index{{{"dog", 18}, {"cat", 17}}, {}};
  const std::vector<std::string> names{"cat", "dog"}, other{"cat", "axolotl"};
  EXPECT_EQ((*CategoryIds::create(names, 2, &index))[1], 18);
  const CocoIndex couch{{{"couch", 5}}, {}};  // ids of the file's own, COCO's other spelling
  EXPECT_EQ((*CategoryIds::create(std::vector<std::string>{"sofa"}, 1, &couch))[0], 5);
  EXPECT_EQ(CategoryIds::create(other, 2, &index).error().message,
            "annotations: no category is called 'axolotl' as the model's class");
  EXPECT_THAT(CategoryIds::create({}, 2, &index).error().message, HasSubstr("the model has no class names"));
}

TEST(CategoryIds, OtherOfficialSpellingIsTheSameClass) {
  const CocoIndex index{{{"motorcycle", 4}, {"couch", 63}, {"axolotl", 5}}, {}};
  const std::vector<std::string> darknet{"motorbike", "sofa"}, missing{"aeroplane"};
  const auto ids = CategoryIds::create(darknet, 2, &index);
  ASSERT_TRUE(ids.has_value()) << ids.error().message;
  EXPECT_EQ((*ids)[0], 4);
  EXPECT_EQ((*ids)[1], 63);
  EXPECT_FALSE(CategoryIds::create(missing, 1, &index).has_value());
}

TEST(CocoIndexFile, ReadsWhatItNeedsAndRefusesTheRest) {
  const test::TempFolder t;
  const auto read = [&](const std::string& json) { return read_coco_index(t.write("a.json", json)); };
  const auto good =
      read(R"({"images":[{"id":3,"file_name":"x.jpg"},{"id":"no"},7],"categories":[{"id":2,"name":"n"}]})");
  ASSERT_TRUE(good.has_value()) << good.error().message;
  EXPECT_EQ(good->images.size(), 1u);
  EXPECT_EQ(good->categories.at("n"), 2);
  EXPECT_THAT(read("[]").error().message, HasSubstr("is not a JSON object"));
  EXPECT_THAT(read(R"({"images":[]})").error().message, HasSubstr("has no 'categories'"));
  EXPECT_EQ(read_coco_index(t.path() / "none.json").error().code, Code::not_found);
  EXPECT_FALSE(read(std::string(100000, '[')).has_value());
}

}  // namespace
}  // namespace tessera
