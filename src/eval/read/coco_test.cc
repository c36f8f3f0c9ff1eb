#include <gtest/gtest.h>

#include "eval/read/readers.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::bytes_of;

constexpr std::string_view kHead =
    R"({"images":[{"id":7,"file_name":"x.jpg"},{"id":3}],"categories":[{"id":2,"name":"dog"},{"id":1}],)";

Result<Dataset> annotations(const std::string& objects) {
  return parse_coco_annotations(bytes_of(std::string(kHead) + "\"annotations\":[" + objects + "]}"), "gt.json");
}
std::string error(const std::string& objects) {
  const auto read = annotations(objects);
  return read ? "" : read.error().message;
}

TEST(CocoAnnotations, Read) {
  const auto d = annotations(
      R"({"id":5,"image_id":7,"category_id":2,"bbox":[1,2,3.5,4],"area":9,"iscrowd":1,"segmentation":[[1,2]]},
                                {"image_id":3,"category_id":1,"bbox":[0,0,2,3]},{"id":0,"image_id":3,"category_id":1,"bbox":[0,0,2,3]})");
  ASSERT_TRUE(d.has_value()) << d.error().message;
  ASSERT_EQ(d->photos.size(), 2u);
  EXPECT_EQ(d->photos[1].file, "x.jpg");  // sorted by id
  EXPECT_EQ(d->categories[0].name, "category 1");
  ASSERT_EQ(d->objects.size(), 3u);
  EXPECT_EQ(d->objects[0].photo, 1);
  EXPECT_EQ(d->objects[0].category, 1);
  EXPECT_EQ(d->objects[0].box, (Box{1, 2, 3.5, 4}));
  EXPECT_EQ(d->objects[0].area, 9);
  EXPECT_TRUE(d->objects[0].crowd);
  EXPECT_EQ(d->objects[1].area, 6);  // of the box
  EXPECT_TRUE(d->objects[1].match_counts);
  EXPECT_FALSE(d->objects[2].match_counts);  // id 0, as pycocotools
}

TEST(CocoAnnotations, UnlistedPhotosAndCategoriesAreCounted) {
  const auto d =
      annotations(R"({"image_id":8,"category_id":2,"bbox":[0,0,1,1]},{"image_id":7,"category_id":9,"bbox":[0,0,1,1]})");
  EXPECT_EQ(d->objects.size(), 0u);
  EXPECT_EQ(d->left_out, 2u);
}

TEST(CocoAnnotations, Refused) {
  EXPECT_EQ(error(R"({"category_id":2,"bbox":[0,0,1,1]})"), "gt.json: annotations[0]: has no 'image_id'");
  EXPECT_EQ(error(R"({"image_id":"7","category_id":2,"bbox":[0,0,1,1]})"),
            "gt.json: annotations[0]: 'image_id' is no whole number");
  EXPECT_EQ(error(R"({"image_id":7,"category_id":2.5,"bbox":[0,0,1,1]})"),
            "gt.json: annotations[0]: 'category_id' is no whole number");
  EXPECT_EQ(error(R"({"image_id":7,"category_id":2})"), "gt.json: annotations[0]: has no 'bbox'");
  EXPECT_EQ(error(R"({"image_id":7,"category_id":2,"bbox":[0,0,1]})"),
            "gt.json: annotations[0]: 'bbox' is not four numbers");
  EXPECT_EQ(error(R"({"image_id":7,"category_id":2,"bbox":[0,0,1,2e9]})"),
            "gt.json: annotations[0]: 'bbox' has 2e+09: want at most 1e9");
  EXPECT_EQ(error(R"({"image_id":7,"category_id":2,"bbox":[0,0,1,1],"area":"1"})"),
            "gt.json: annotations[0]: 'area' is no number");
  EXPECT_EQ(error(R"({"id":"a","image_id":7,"category_id":2,"bbox":[0,0,1,1]})"),
            "gt.json: annotations[0]: 'id' is no whole number");
  EXPECT_EQ(
      error(
          R"({"id":4,"image_id":7,"category_id":2,"bbox":[0,0,1,1]},{"id":4,"image_id":7,"category_id":2,"bbox":[0,0,1,1]})"),
      "gt.json: annotations: id 4 is there twice");
  const auto whole = [](std::string_view json) {
    return parse_coco_annotations(bytes_of(json), "gt.json").error().message;
  };
  EXPECT_EQ(whole(R"({"images":[],"annotations":[]})"), "gt.json: has no 'categories': want COCO annotations");
  EXPECT_EQ(whole("[]"), "gt.json: has no 'images': want COCO annotations");
  EXPECT_EQ(whole(R"({"images":[{"id":1},{"id":1}],"annotations":[],"categories":[]})"),
            "gt.json: images: id 1 is there twice");
  EXPECT_EQ(whole(R"({"images":[{"file_name":"a"}]})"), "gt.json: images[0]: has no 'id'");
  EXPECT_EQ(whole(R"({"categories":[{"name":"a"}]})"), "gt.json: categories[0]: has no 'id'");
  EXPECT_EQ(whole("{"), "gt.json: byte 2: is no JSON");
}

Result<Detections> results(std::string_view json) {
  const auto dataset = annotations("");
  return parse_coco_results(bytes_of(json), "r.json", *dataset);
}

TEST(CocoResults, Read) {
  const auto r = results(
      R"([{"image_id":7,"category_id":2,"bbox":[1,2,3,4],"score":0.5,"extra":[{}]},{"image_id":7,"category_id":5,"bbox":[1,2,3,4],"score":1}])");
  ASSERT_TRUE(r.has_value()) << r.error().message;
  ASSERT_EQ(r->boxes.size(), 1u);
  EXPECT_EQ(r->boxes[0], (Scored{1, 1, {1, 2, 3, 4}, 0.5}));
  EXPECT_EQ(r->left_out, 1u);
  EXPECT_TRUE(r->seen.empty());
  EXPECT_EQ(results("[]")->boxes.size(), 0u);
}

TEST(CocoResults, SavedRun) {
  const auto r =
      results(R"({"photos":[7],"detections":[{"image_id":7,"category_id":2,"bbox":[1,2,3,4],"score":0.5}]})");
  ASSERT_TRUE(r.has_value()) << r.error().message;
  EXPECT_EQ(r->seen, (std::vector<bool>{false, true}));
}

TEST(CocoResults, Refused) {
  const auto why = [](std::string_view json) { return results(json).error().message; };
  EXPECT_EQ(why(R"([{"image_id":8,"category_id":2,"bbox":[1,2,3,4],"score":0.5}])"),
            "r.json: [0]: image_id 8 is no image of the annotations");
  EXPECT_EQ(why(R"([{"image_id":7,"category_id":2,"bbox":[1,2,3,4]}])"), "r.json: [0]: has no 'score'");
  EXPECT_EQ(why(R"([{"image_id":7,"category_id":2,"bbox":[1,2,3,4],"score":"0.5"}])"),
            "r.json: [0]: 'score' is no number");
  EXPECT_EQ(why(R"([{"image_id":7,"bbox":[1,2,3,4],"score":0.5}])"), "r.json: [0]: has no 'category_id'");
  EXPECT_EQ(why(R"([{"image_id":7,"category_id":2,"bbox":[],"score":0.5}])"),
            "r.json: [0]: 'bbox' is not four numbers");
  EXPECT_EQ(why("{}"), "r.json: is neither an array of COCO results nor a saved run");
  EXPECT_EQ(why(R"({"photos":[9],"detections":[]})"), "r.json: photos[0]: photo 9 is no image of the annotations");
  EXPECT_EQ(why("nonsense"), "r.json: byte 2: is no JSON");
}

}  // namespace
}  // namespace tessera::eval
