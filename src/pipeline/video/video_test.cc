// Videos made by the ffmpeg program's test sources while the test runs; its own decoding is the oracle for pixels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "pipeline/source.h"
#include "pipeline/test_detector.h"
#include "pipeline/video/open_video.h"

namespace tessera {
namespace {

using test::TempFolder;
using testing::HasSubstr;
using testing::StartsWith;

struct Seen {
  std::vector<std::int64_t> indices;
  std::vector<double> seconds;
  std::vector<std::string> errors;
  std::vector<Image> images;
};

class Video : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg program to make videos with";
  }

  /// ffmpeg WORDS name, in the test's folder; the path.
  std::string make(const std::string& words, const std::string& name) {
    const std::string command =
        "cd " + t_.path().string() + " && ffmpeg -nostdin -v error -y -bitexact " + words + " " + name;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return (t_.path() / name).string();
  }
  std::string clip(const std::string& codec, const std::string& name, const std::string& frames = "25") {
    return make("-f lavfi -i testsrc2=size=72x50:rate=25 -frames:v " + frames + " " + codec, name);
  }
  /// A file of the first `share` of another's bytes.
  std::string cut(const std::string& path, double share) {
    const std::string bytes = t_.read(std::filesystem::path(path).filename().string());
    return t_.write("cut-" + std::filesystem::path(path).filename().string(),
                    bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
  }

  static Seen see(FrameSource& source) {
    Seen seen;
    while (true) {
      auto frame = source.next();
      if (!frame) {
        seen.errors.push_back(frame.error().message);
      } else if (*frame) {
        seen.indices.push_back((*frame)->info.index);
        seen.seconds.push_back((*frame)->info.seconds);
        auto image = (*frame)->pixels();
        EXPECT_TRUE(image.has_value()) << image.error().message;
        seen.images.push_back(image ? std::move(*image) : Image{});
      } else {
        return seen;
      }
    }
  }
  static Seen see(const std::string& path, const VideoOptions& options = {}) {
    auto source = open_video(path, options);
    if (!source) return {{}, {}, {source.error().message}, {}};
    return see(**source);
  }

  TempFolder t_;
};

std::vector<std::int64_t> indices(std::int64_t from, std::int64_t to, std::int64_t step = 1) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = from; i < to; i += step) out.push_back(i);
  return out;
}

constexpr const char* kMpeg4 = "-c:v mpeg4 -bf 2 -q:v 3";

TEST_F(Video, AllFramesInOrderWithTheirTimes) {
  for (const auto& [codec, name] : {std::pair{kMpeg4, "a.mp4"},
                                    {"-c:v libx264 -bf 3", "b.mkv"},
                                    {"-c:v mpeg4", "c.avi"},
                                    {"-c:v mjpeg", "d.mov"},
                                    {"-c:v mpeg2video -bf 2", "e.ts"},
                                    {"", "f.y4m"}}) {
    const std::string path = clip(codec, name);
    const Seen seen = see(path);
    EXPECT_THAT(seen.errors, testing::IsEmpty()) << name;
    EXPECT_EQ(seen.indices, indices(0, 25)) << name;
    for (std::size_t i = 0; i < seen.seconds.size(); ++i) {
      EXPECT_NEAR(seen.seconds[i], static_cast<double>(i) / 25, 0.0006) << name;  // mkv counts in ms
    }
    for (const Image& image : seen.images) EXPECT_EQ(image.width * 1000 + image.height, 72050);
  }
}

TEST_F(Video, DecoderThreadsChangeNothing) {
  const std::string path = clip("-c:v libx264 -bf 3", "a.mp4");
  const Seen one = see(path);
  const Seen four = see(path, {.threads = 4});
  ASSERT_EQ(one.images.size(), four.images.size());
  for (std::size_t i = 0; i < one.images.size(); ++i) EXPECT_EQ(one.images[i].pixels, four.images[i].pixels) << i;
}

// Bit for bit what `ffmpeg -pix_fmt rgb24` makes of every matrix, range, depth and subsampling.
TEST_F(Video, ColorsAreFfmpegs) {
  const std::string source = "-f lavfi -i testsrc2=size=72x50:rate=5 -frames:v 2 -c:v ffv1 ";
  int number = 0;
  for (const char* words : {"-pix_fmt yuv420p", "-pix_fmt yuv420p -colorspace bt709 -color_range tv",
                            "-pix_fmt yuv420p -colorspace smpte170m",
                            "-pix_fmt yuv444p -colorspace bt709 -color_range pc", "-pix_fmt yuv420p -color_range pc",
                            "-pix_fmt yuv422p10le -colorspace bt2020nc", "-pix_fmt bgr0", "-pix_fmt gray"}) {
    const std::string name = "v" + std::to_string(number++) + ".mkv";
    const std::string path = make(source + words, name);
    make("-i " + name + " -f rawvideo -pix_fmt rgb24", name + ".rgb");
    const std::string want = t_.read(name + ".rgb");
    const Seen seen = see(path);
    ASSERT_EQ(seen.images.size(), 2u) << words;
    std::string got;
    for (const Image& image : seen.images) got.append(image.pixels.begin(), image.pixels.end());
    ASSERT_EQ(got.size(), want.size()) << words;
    EXPECT_TRUE(got == want) << words;
  }
}

TEST_F(Video, RotationIsHonoured) {
  const std::string plain = clip(kMpeg4, "plain.mp4", "3");
  const Seen lying = see(plain);
  for (const int degrees : {90, 180, 270}) {
    const std::string name = "turned" + std::to_string(degrees) + ".mp4";
    const std::string path = make("-i plain.mp4 -c copy -metadata:s:v:0 rotate=" + std::to_string(degrees), name);
    make("-i " + name + " -f rawvideo -pix_fmt rgb24", name + ".rgb");  // turned by ffmpeg
    const Seen seen = see(path);
    ASSERT_EQ(seen.images.size(), 3u);
    const Image& image = seen.images[0];
    EXPECT_EQ(image.width, degrees == 180 ? 72 : 50);
    EXPECT_NE(image.pixels, lying.images[0].pixels);
    // ffmpeg turns the planes before it converts, where colors lie at half resolution: the same but for their edges.
    const std::string want = t_.read(name + ".rgb");
    std::size_t far = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      far += std::abs(image.pixels[i] - static_cast<std::uint8_t>(want[i])) > 8;
    }
    EXPECT_LT(far, image.pixels.size() / 20) << degrees;
  }
}

TEST_F(Video, EveryStartAndDuration) {
  const std::string path = clip(kMpeg4, "a.mp4", "50");
  const auto check = [&](const VideoOptions& options, const std::vector<std::int64_t>& want) {
    auto source = open_video(path, options);
    ASSERT_TRUE(source.has_value());
    EXPECT_EQ((*source)->total(), want.size());
    EXPECT_EQ(see(**source).indices, want);
  };
  check({}, indices(0, 50));
  check({.every = 7}, indices(0, 50, 7));
  check({.start = 1.0}, indices(25, 50));
  check({.every = 10, .start = 0.5}, indices(20, 50, 10));
  check({.duration = 0.4}, indices(0, 10));
  check({.start = 0.4, .duration = 0.2}, indices(10, 15));
  check({.start = 100}, {});
}

// What was whole comes out, what was not is told once, at the end.
TEST_F(Video, CutFilesGiveWhatTheyHold) {
  for (const auto& [words, name] :
       {std::pair{"-c:v mpeg4 -movflags +faststart", "a.mp4"}, {"-c:v mpeg4", "b.mkv"}, {"-c:v mjpeg", "c.avi"}}) {
    const std::string whole = clip(words, name, "100");
    const Seen all = see(whole);
    EXPECT_THAT(all.errors, testing::IsEmpty()) << name;
    const Seen part = see(cut(whole, 0.6));
    EXPECT_GT(part.images.size(), 20u) << name;
    EXPECT_LT(part.images.size(), 99u) << name;
    ASSERT_GE(part.errors.size(), 1u) << name;
    EXPECT_LE(part.errors.size(), 3u) << name << ": " << testing::PrintToString(part.errors);
    for (std::size_t i = 0; i < part.images.size(); ++i) {
      ASSERT_EQ(part.indices[i], static_cast<std::int64_t>(i)) << name;
      ASSERT_TRUE(part.images[i].pixels == all.images[i].pixels) << name << " frame " << i;
    }
  }
}

TEST_F(Video, DamageInTheMiddleCostsItsFramesOnly) {
  const std::string path = clip("-c:v mjpeg -q:v 5", "a.avi", "30");  // every frame stands for itself
  std::string bytes = t_.read("a.avi");
  const std::size_t middle = bytes.size() / 2;
  for (std::size_t i = 0; i < 600; ++i) bytes[middle + i] = '\x5a';
  const Seen seen = see(t_.write("damaged.avi", bytes));
  EXPECT_GE(seen.images.size() + seen.errors.size(), 28u);
  EXPECT_GE(seen.images.size(), 24u);
}

TEST_F(Video, WhatIsNoVideoIsRefused) {
  const auto refusal = [](const std::string& path) {
    const auto opened = open_video(path, {});
    return opened.has_value() ? std::string("opened") : opened.error().message;
  };
  const auto begins = [&](const std::string& path) { return StartsWith(path + ": "); };
  const std::string empty = t_.write("empty.mp4", "");
  EXPECT_THAT(refusal(empty), begins(empty));
  const std::string prose = t_.write("text.mp4", "This is no video, but it is long enough to look into.\n");
  EXPECT_THAT(refusal(prose), begins(prose));
  const std::string gone = (t_.path() / "gone.mp4").string();
  EXPECT_THAT(refusal(gone), HasSubstr("No such file"));
  const std::string sound = make("-f lavfi -i sine -t 0.2 -c:a aac", "sound.mp4");
  EXPECT_EQ(refusal(sound), sound + ": no video in it: it holds 1 streams of other kinds");
  const std::string moov = cut(clip(kMpeg4, "late.mp4"), 0.5);  // its index stood at the end
  EXPECT_EQ(refusal(moov), moov + ": cannot open the video: moov atom not found");
}

// A list of other files is no container: a file named .mp4 cannot make anybody open another one.
TEST_F(Video, PlaylistsAreRefused) {
  const std::string secret = clip(kMpeg4, "secret.mp4", "3");
  for (const std::string& list :
       {"ffconcat version 1.0\nfile " + secret + "\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://" + secret + "\n#EXT-X-ENDLIST\n"}) {
    const auto opened = open_video(t_.write("list.mp4", list), {});
    EXPECT_FALSE(opened.has_value()) << list;
  }
}

TEST_F(Video, HugeDeclaredSizesAreRefusedBeforeAnythingIsAllocated) {
  const std::string huge = t_.write("huge.y4m", "YUV4MPEG2 W65535 H65535 F25:1 Ip A1:1 C420jpeg\nFRAME\nabc");
  const auto opened = open_video(huge, {});
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, StartsWith(huge + ": "));
  VideoOptions small;
  small.limits.max_pixels = 72 * 50 - 1;
  const auto limited = open_video(clip(kMpeg4, "a.mp4"), small);
  ASSERT_FALSE(limited.has_value());
  EXPECT_EQ(limited.error().code, Code::limit_exceeded);
  EXPECT_THAT(limited.error().message, HasSubstr("frames of 72x50 are above the limit of 3599 pixels"));
}

// Whatever one byte in sixty-one becomes, opening and reading end.
TEST_F(Video, ScrambledFilesEnd) {
  for (const auto& [words, name] : {std::pair{"-c:v mpeg4 -movflags +faststart", "a.mp4"},
                                    {"-c:v libx264", "b.mkv"},
                                    {"-c:v mpeg2video", "c.ts"}}) {
    clip(words, name);
    const std::string whole = t_.read(name);
    for (std::size_t shift = 0; shift < 8; ++shift) {
      std::string bytes = whole;
      for (std::size_t i = 7 * shift; i < bytes.size(); i += 61)
        bytes[i] = static_cast<char>(bytes[i] ^ (0x55 + shift));
      see(t_.write(std::string("bad-") + name, bytes));
    }
  }
}

// The whole file in its own time is taken or counted, newest last; how much of each depends on the machine.
TEST_F(Video, LiveFramesAreTakenOrCounted) {
  const std::string path = clip(kMpeg4, "a.mp4", "10");
  auto source = open_video(path, {.live = true});
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ((*source)->total(), std::nullopt);
  std::int64_t next = 0;
  while (true) {
    auto frame = (*source)->next();
    ASSERT_TRUE(frame.has_value()) << frame.error().message;
    if (!*frame) break;
    EXPECT_EQ((*frame)->info.index, next + (*frame)->info.dropped);
    EXPECT_TRUE((*frame)->info.captured.has_value());
    EXPECT_TRUE((*frame)->pixels().has_value());
    next = (*frame)->info.index + 1;
  }
  EXPECT_EQ(next, 10);
}

TEST_F(Video, ALiveSourceEndsWhenStoppedOrForgotten) {
  const std::string path = clip(kMpeg4, "a.mp4", "500");  // 20 s that nobody waits for
  auto stopped = open_video(path, {.live = true, .stopped = [] { return true; }});
  if (stopped.has_value()) {  // opening may already notice
    const auto none = (*stopped)->next();
    EXPECT_FALSE(none.has_value() && none->has_value());
  }
  auto forgotten = open_video(path, {.live = true});
  ASSERT_TRUE(forgotten.has_value());
  EXPECT_TRUE((*forgotten)->next().has_value());
}

TEST_F(Video, ThroughTheWholeRunsSource) {
  const std::string path = clip(kMpeg4, "a.mp4", "3");
  PhotoSource source({path}, {.open_video = open_video});
  std::vector<std::string> names;
  while (const auto file = source.next()) names.push_back(file->name);
  EXPECT_THAT(names, testing::ElementsAre(path + "#000000", path + "#000001", path + "#000002"));
  EXPECT_EQ(count_photos({path}, false, open_video), 3u);
}

TEST(OpenVideo, ACameraThatIsNotThereIsNamed) {
  const auto opened = open_video("/dev/video987", {});
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, StartsWith("/dev/video987: "));
}

}  // namespace
}  // namespace tessera
