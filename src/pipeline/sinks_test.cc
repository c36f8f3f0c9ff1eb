#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/output_names.h"
#include "pipeline/sink.h"
#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using test::Picture;
using test::TempFolder;

const std::vector<std::string> kNames{"dog", "a \"quoted\", cat"};
const std::vector<Detection> kFound{{0, 0.5f, 1.25f, 2, 9, 10}, {1, 0.25f, 0, 0, 4, 4}};

/// What a sink writes for a photo with two detections, one without, and one that failed.
template <class Make>
std::string written(const Make& make) {
  const TempFolder t;
  const Picture photo(16, 20, 100);
  auto out = TextOut::file(t.path() / "out");
  const std::unique_ptr<Sink> sink = make(std::move(*out));
  EXPECT_TRUE(sink->photo({"p\xff/1.jpg", photo.view(), kFound}).has_value());
  EXPECT_TRUE(sink->photo({"2.jpg", photo.view(), {}}).has_value());
  EXPECT_TRUE(sink->failed("bad.jpg", {Code::corrupt, "bad.jpg: is \"bad\""}).has_value());
  EXPECT_TRUE(sink->finish().has_value());
  return t.read("out");
}

TEST(Sinks, Json) {
  EXPECT_EQ(written([](TextOut out) { return make_json_sink(std::move(out), kNames); }),
            "{\"photos\":[\n"
            "{\"file\":\"p\xef\xbf\xbd/1.jpg\",\"width\":16,\"height\":20,\"detections\":["
            "{\"class\":\"dog\",\"class_id\":0,\"score\":0.5,\"box\":[1.25,2,9,10]},"
            "{\"class\":\"a \\\"quoted\\\", cat\",\"class_id\":1,\"score\":0.25,\"box\":[0,0,4,4]}]},\n"
            "{\"file\":\"2.jpg\",\"width\":16,\"height\":20,\"detections\":[]}\n"
            "],\"failed\":[\n"
            "{\"file\":\"bad.jpg\",\"code\":\"corrupt\",\"error\":\"bad.jpg: is \\\"bad\\\"\"}\n]}\n");
}

TEST(Sinks, Csv) {
  EXPECT_EQ(written([](TextOut out) { return make_csv_sink(std::move(out), kNames); }),
            "file,width,height,class_id,class,score,x1,y1,x2,y2\r\n"
            "p\xff/1.jpg,16,20,0,dog,0.5,1.25,2,9,10\r\n"
            "p\xff/1.jpg,16,20,1,\"a \"\"quoted\"\", cat\",0.25,0,0,4,4\r\n");
}

TEST(Sinks, Coco) {
  const auto ids = CategoryIds::create(kNames, 2, nullptr);
  EXPECT_EQ(written([&](TextOut out) { return make_coco_sink(std::move(out), *ids, ImageIds()); }),
            "[\n{\"image_id\":1,\"category_id\":1,\"bbox\":[1.25,2,7.75,8],\"score\":0.5},\n"
            "{\"image_id\":1,\"category_id\":2,\"bbox\":[0,0,4,4],\"score\":0.25}\n]\n");
}

TEST(Sinks, CocoRefusesWithoutAnIdBeforeAnythingIsWritten) {
  const TempFolder t;
  const auto ids = CategoryIds::create(kNames, 2, nullptr);
  const auto sink = make_coco_sink(*TextOut::file(t.path() / "out"), *ids, ImageIds());
  EXPECT_TRUE(sink->check({"7.jpg", {}, {}}).has_value());
  EXPECT_EQ(sink->check({"x.jpg", {}, {}}).error().code, Code::invalid_argument);
}

TEST(Sinks, Text) {
  EXPECT_EQ(written([](TextOut out) { return make_text_sink(std::move(out), {}); }),
            "p\xff/1.jpg  16x20  2: class 0 0.50, class 1 0.25\n2.jpg  16x20  0\n");
}

TEST(Sinks, NothingAtAllIsStillWholeJson) {
  const TempFolder t;
  const auto finished = [&](auto make) {
    const auto sink = make(*TextOut::file(t.path() / "out"));
    EXPECT_TRUE(sink->finish().has_value());
    return t.read("out");
  };
  EXPECT_EQ(finished([](TextOut out) { return make_json_sink(std::move(out), {}); }),
            "{\"photos\":[],\"failed\":[]}\n");
  const auto ids = CategoryIds::create({}, 1, nullptr);
  EXPECT_EQ(finished([&](TextOut out) { return make_coco_sink(std::move(out), *ids, ImageIds()); }), "[]\n");
}

TEST(Sinks, YoloNumbersAreSharesOfThePhoto) {
  const TempFolder t;
  const auto sink = make_yolo_sink(t.path() / "labels", true);
  ASSERT_TRUE(sink.has_value());
  ASSERT_TRUE((*sink)->photo({"a/1.jpg", Picture(16, 20, 0).view(), kFound}).has_value());
  EXPECT_EQ(t.read("labels/1.txt"),
            "0 0.320312 0.300000 0.484375 0.400000 0.500000\n1 0.125000 0.100000 0.250000 0.200000 0.250000\n");
}

TEST(Sinks, PicturesStayApartFromPhotos) {
  const TempFolder t;
  const auto sink = make_picture_sink(t.path() / "out", kNames, {});
  ASSERT_TRUE(sink.has_value());
  const Picture photo(16, 20, 100);
  EXPECT_TRUE((*sink)->photo({"elsewhere/1.jpg", photo.view(), kFound}).has_value());
  EXPECT_TRUE(std::filesystem::exists(t.path() / "out/1.jpg"));
  const std::string inside = (t.path() / "out/2.png").string();
  const auto refused = (*sink)->check({inside, photo.view(), kFound});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("lies in the output folder"));
}

TEST(TextOut, TellsWhatItCannotWrite) {
  EXPECT_EQ(TextOut::file("/nonexistent/x").error().message, "/nonexistent/x: cannot write: No such file or directory");
  auto full = TextOut::file("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  EXPECT_TRUE(full->write("x").has_value());  // in the stream's buffer
  EXPECT_EQ(full->close().error().message, "/dev/full: cannot write: No space left on device");
}

TEST(OutputNames, CollisionsAreNumbered) {
  const TempFolder t;
  auto names = OutputNames::create(t.path() / "a/b");
  ASSERT_TRUE(names.has_value());
  const auto next = [&](const char* photo) { return names->next(photo, ".png").filename().string(); };
  EXPECT_EQ(next("p/x.jpg"), "x.png");
  EXPECT_EQ(next("q/x.jpg"), "x_2.png");
  EXPECT_EQ(next("x_2.jpg"), "x_2_2.png");
  EXPECT_EQ(next("x.webp"), "x_3.png");
  EXPECT_EQ(next("-"), "stdin.png");
  const std::string longest(251, 'w');
  EXPECT_EQ(next((longest + ".jpg").c_str()), longest + ".png");
  EXPECT_EQ(next((longest + "wxyz").c_str()),
            longest.substr(0, 249) + "_2.png");  // 255 bytes, all that a name may have
  std::string umlauts = "x";
  for (int i = 0; i < 127; ++i) umlauts += "\xc3\xa4";
  EXPECT_EQ(next(umlauts.c_str()), umlauts.substr(0, 251) + ".png");  // an even byte more would be half a letter
  EXPECT_EQ(next(("y" + umlauts.substr(0, 254)).c_str()), "y" + umlauts.substr(0, 249) + ".png");
  t.write("file", "");
  EXPECT_THAT(OutputNames::create(t.path() / "file/sub").error().message,
              testing::HasSubstr("cannot make the output folder"));
}

}  // namespace
}  // namespace tessera
