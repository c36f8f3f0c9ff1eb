#include "pipeline/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "pipeline/output_names.h"
#include "pipeline/sink.h"
#include "pipeline/source.h"
#include "pipeline/test_detector.h"

namespace tessera {
namespace {

using test::TempFolder;
using testing::ElementsAre;

TEST(SourceKind, BytesDecideThenTheName) {
  const TempFolder t;
  using namespace std::string_literals;
  EXPECT_EQ(source_kind(t.write("a.dat",
                                "\0\0\0\x20"
                                "ftypisom\0\0\0\0"s)),
            SourceKind::video);
  EXPECT_EQ(source_kind(t.write("b", "\x1a\x45\xdf\xa3 and more"s)), SourceKind::video);
  EXPECT_EQ(source_kind(t.write("c.MP4", "text")), SourceKind::video);
  EXPECT_EQ(source_kind(t.write("d.mp4", "")), SourceKind::video);
  EXPECT_EQ(source_kind(t.write("photo.mp4", "\x89PNG\r\n\x1a\n"s)), SourceKind::photo);
  EXPECT_EQ(source_kind(t.write("f.jpg",
                                "\0\0\0\x20"
                                "ftypisom"s)),
            SourceKind::photo);
  EXPECT_EQ(source_kind(t.write("g.txt", "text")), SourceKind::photo);
  EXPECT_EQ(source_kind(t.write("h.webp", "RIFF\0\0\0\0WEBPVP8 "s)), SourceKind::photo);
  EXPECT_EQ(source_kind(t.write("i", "RIFF\0\0\0\0AVI LIST"s)), SourceKind::video);
  EXPECT_EQ(source_kind("rtsp://host/stream"), SourceKind::live);
  EXPECT_EQ(source_kind("http://host/"), SourceKind::live);
  EXPECT_EQ(source_kind("/dev/null"), SourceKind::photo);
  EXPECT_EQ(source_kind(t.path().string()), SourceKind::photo);
  EXPECT_EQ(source_kind("gone.mp4"), SourceKind::photo);
}

TEST(FrameName, LongNumbersKeepTheirDigits) {
  EXPECT_EQ(frame_name("a#b.mp4", 7), "a#b.mp4#000007");
  EXPECT_EQ(frame_name("c", 12345678), "c#12345678");
  EXPECT_EQ(video_name("a#b.mp4#000007"), "a#b.mp4");
}

/// Gives what it was told to.
class Script final : public FrameSource {
 public:
  Script(std::deque<Result<std::optional<Frame>>> script, std::int64_t dropped)
      : script_(std::move(script)), dropped_(dropped) {}
  Result<std::optional<Frame>> next() override {
    if (script_.empty()) return std::optional<Frame>{};
    auto first = std::move(script_.front());
    script_.pop_front();
    return first;
  }
  std::optional<std::size_t> total() const override { return script_.size(); }
  std::int64_t dropped() const override { return dropped_; }

 private:
  std::deque<Result<std::optional<Frame>>> script_;
  std::int64_t dropped_;
};

Result<std::optional<Frame>> frame(std::int64_t index) {
  Frame out;
  out.info.index = index;
  out.pixels = [] { return Image(4, 4); };
  return std::optional(std::move(out));
}

Result<std::unique_ptr<FrameSource>> open_script(const std::string& name, const VideoOptions&) {
  if (name.find("broken") != std::string::npos) return Error{Code::corrupt, name + ": broken"};
  std::deque<Result<std::optional<Frame>>> script;
  if (name.find("empty") == std::string::npos) {
    script.push_back(frame(0));
    script.push_back(Error{Code::corrupt, name + "#000001: damaged"});
    script.push_back(frame(2));
  }
  return std::unique_ptr<FrameSource>(std::make_unique<Script>(std::move(script), 5));
}

std::vector<std::string> names_of(PhotoSource& source, const std::filesystem::path& root) {
  std::vector<std::string> names;
  while (const auto file = source.next()) {
    std::string name = file->error ? file->error->message : file->name;
    if (name.rfind(root.string() + "/", 0) == 0) name.erase(0, root.string().size() + 1);
    names.push_back(name + (file->frame ? " frame" : ""));
  }
  return names;
}

TEST(PhotoSource, VideosGiveFramesAmongPhotosAndErrors) {
  const TempFolder t;
  const std::string clip = t.write("clip.mp4", ""), empty = t.write("empty.mkv", ""),
                    broken = t.write("broken.avi", "");
  const std::string photo = t.write("p.png", "");
  PhotoSource source({clip, photo, empty, broken, t.path().string() + "/c*.mp4"}, {.open_video = open_script});
  EXPECT_THAT(names_of(source, t.path()),
              ElementsAre("clip.mp4#000000 frame", "clip.mp4#000001: damaged", "clip.mp4#000002 frame", "p.png",
                          "empty.mkv: the video holds no frame that was asked for", "broken.avi: broken",
                          "clip.mp4#000000 frame", "clip.mp4#000001: damaged", "clip.mp4#000002 frame"));
  EXPECT_EQ(source.dropped(), 15);
}

TEST(PhotoSource, AVideoWithoutAReaderIsNamed) {
  const TempFolder t;
  PhotoSource source({t.write("clip.mp4", "")}, {});
  EXPECT_THAT(names_of(source, t.path()), ElementsAre("clip.mp4: a video, and nothing here reads videos"));
}

TEST(PhotoSource, VideosComeFromAListToo) {
  const TempFolder t;
  std::istringstream list(t.write("clip.mp4", "") + "\n" + t.write("p.png", "") + "\n");
  PhotoSource source({"-"}, {.input = &list, .open_video = open_script});
  EXPECT_THAT(names_of(source, t.path()),
              ElementsAre("clip.mp4#000000 frame", "clip.mp4#000001: damaged", "clip.mp4#000002 frame", "p.png"));
}

TEST(CountPhotos, CountsWhatVideosSay) {
  const TempFolder t;
  const std::string clip = t.write("clip.mp4", ""), broken = t.write("broken.avi", ""), photo = t.write("p.png", "");
  EXPECT_EQ(count_photos({clip, broken, photo}, false, open_script), 5u);
  EXPECT_EQ(count_photos({photo, "rtsp://host/x"}, false, open_script), std::nullopt);
  EXPECT_EQ(count_photos({clip}, false, open_script, {.live = true}), std::nullopt);
}

TEST(Sinks, JsonTellsFrameTimeAndAge) {
  const TempFolder t;
  const test::Picture photo(4, 4, 0);
  FrameInfo info;
  info.index = 12;
  info.seconds = 0.48;
  info.dropped = 3;
  PhotoResult result{"c.mp4#000012", photo.view(), {}};
  result.frame = &info;
  {
    const auto sink = make_json_sink(*TextOut::file(t.path() / "r.json"), {});
    EXPECT_TRUE(sink->photo(result).has_value());
    result.age_ms = 33.25;
    EXPECT_TRUE(sink->photo(result).has_value());
    EXPECT_TRUE(sink->finish().has_value());
  }
  EXPECT_EQ(t.read("r.json"),
            "{\"photos\":[\n"
            "{\"file\":\"c.mp4#000012\",\"frame\":12,\"time\":0.48,\"width\":4,\"height\":4,\"detections\":[]},\n"
            "{\"file\":\"c.mp4#000012\",\"frame\":12,\"time\":0.48,\"dropped\":3,\"age_ms\":33.25,\"width\":4,"
            "\"height\":4,\"detections\":[]}\n],\"failed\":[]}\n");
}

TEST(OutputNames, FramesAreNumberedAndVideosOfOneNameDoNotCollide) {
  const TempFolder t;
  auto names = OutputNames::create(t.path());
  ASSERT_TRUE(names.has_value());
  const FrameInfo info;
  const auto next = [&](const char* name) { return names->next(name, &info, ".jpg").filename().string(); };
  EXPECT_EQ(next("a/clip.mp4#000007"), "clip_000007.jpg");
  EXPECT_EQ(next("b/clip.mov#000007"), "clip_000007_2.jpg");
  EXPECT_EQ(next("rtsp://host/stream/#000001"), "video_000001.jpg");
  EXPECT_EQ(names->next("c.jpg", nullptr, ".jpg").filename().string(), "c.jpg");
}

}  // namespace
}  // namespace tessera
