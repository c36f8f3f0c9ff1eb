#include "pipeline/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "pipeline/stdin_photos.h"
#include "pipeline/test_detector.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using testing::ElementsAre;

/// Names below `root`; errors as their message.
std::vector<std::string> all(PhotoSource source, const fs::path& root) {
  std::vector<std::string> names;
  while (const auto file = source.next()) {
    names.push_back(file->error ? file->error->message : fs::path(file->name).lexically_relative(root).string());
  }
  return names;
}

TEST(PhotoSource, WalksFoldersInNaturalOrder) {
  const TempFolder t;
  for (const char* name : {"p10.jpg", "p2.JPG", "p1.png", "notes.txt", "b/deep.webp", "a/x.ppm", "a/y"})
    t.write(name, "");
  const std::string folder = t.path().string();
  EXPECT_THAT(all(PhotoSource({folder}, {}), t.path()), ElementsAre("p1.png", "p2.JPG", "p10.jpg"));
  EXPECT_THAT(all(PhotoSource({folder}, {.recursive = true}), t.path()),
              ElementsAre("p1.png", "p2.JPG", "p10.jpg", "a/x.ppm", "b/deep.webp"));
  EXPECT_EQ(count_photos({folder}, true), 5u);
  EXPECT_EQ(count_photos({folder, "-"}, true), std::nullopt);
}

TEST(PhotoSource, FollowsEachLinkOnce) {
  const TempFolder t;
  t.write("a/x.png", "");
  fs::create_directory_symlink(t.path(), t.path() / "a/up");
  fs::create_directory_symlink(t.path() / "a", t.path() / "b");
  EXPECT_THAT(all(PhotoSource({t.path().string()}, {.recursive = true}), t.path()), ElementsAre("a/x.png"));
}

TEST(PhotoSource, NamesWhatYieldsNothing) {
  const TempFolder t;
  const std::string empty = (t.path() / "empty").string();
  fs::create_directory(empty);
  t.write("outer/inner/x.png", "");
  const std::string outer = (t.path() / "outer").string();
  EXPECT_THAT(all(PhotoSource({"/nonexistent/x", "/nonexistent/*.x", empty, outer, "-"}, {}), t.path()),
              ElementsAre("/nonexistent/x: no such file or folder", "/nonexistent/*.x: the pattern matches no file",
                          empty + ": the folder holds no picture",
                          outer + ": the folder holds no picture: look into its folders with --recursive",
                          "-: standard input is already taken"));
}

TEST(PhotoSource, AFolderThatVanishesIsNamed) {
  const TempFolder t;
  t.write("a/x.png", "");
  t.write("a/b/y.png", "");
  PhotoSource source({t.path().string()}, {.recursive = true});
  EXPECT_EQ(fs::path(source.next()->name).filename(), "x.png");
  fs::remove_all(t.path() / "a/b");
  EXPECT_THAT(source.next()->error.value().message, testing::HasSubstr("a/b: cannot list the folder"));
  EXPECT_FALSE(source.next().has_value());
}

TEST(PhotoSource, PatternsAndTheirFolders) {
  const TempFolder t;
  t.write("s2/x.png", "");
  t.write("s10/y.png", "");
  t.write("s.png", "");
  EXPECT_THAT(all(PhotoSource({(t.path() / "s*").string()}, {}), t.path()),
              ElementsAre("s.png", "s2/x.png", "s10/y.png"));
  const std::string odd = t.write("[1].png", "");
  EXPECT_THAT(all(PhotoSource({odd}, {}), t.path()), ElementsAre("[1].png"));
}

TEST(PhotoSource, StdinIsAListOrOnePhoto) {
  std::istringstream list("a.jpg\r\n\nBMW b.png\nlast");
  EXPECT_THAT(all(PhotoSource({"-"}, {.input = &list}), "."), ElementsAre("a.jpg", "BMW b.png", "last"));
  const std::string ppm = test::Picture(2, 1, 7).ppm();
  std::istringstream photo(ppm);
  PhotoSource source({"-"}, {.input = &photo});
  const auto file = source.next();
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->name, "-");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size()), ppm);
  EXPECT_FALSE(source.next().has_value());
}

TEST(PhotoSource, StdinThatIsNeither) {
  std::istringstream nothing("");
  EXPECT_THAT(all(PhotoSource({"-"}, {.input = &nothing}), "."),
              ElementsAre("-: standard input is empty: want a photo or paths, one per line"));
  std::istringstream blob(std::string(70000, 'x'));
  EXPECT_THAT(all(PhotoSource({"-"}, {.input = &blob}), "."),
              ElementsAre("-: standard input is neither a picture nor a list of paths"));
}

TEST(LooksLikePicture, DecidesAsSoonAsItCan) {
  const auto yes = LooksLikePicture::yes, no = LooksLikePicture::no, more = LooksLikePicture::more;
  EXPECT_EQ(looks_like_picture(""), more);
  EXPECT_EQ(looks_like_picture("\xff\xd8"), more);
  EXPECT_EQ(looks_like_picture("\xff\xd8\xff"), yes);
  EXPECT_EQ(looks_like_picture("\x89PNG"), yes);
  EXPECT_EQ(looks_like_picture("RIFF1234WEB"), more);
  EXPECT_EQ(looks_like_picture("RIFF1234WEBP"), yes);
  EXPECT_EQ(looks_like_picture("RIFF1234WAVE"), no);
  EXPECT_EQ(looks_like_picture(std::string_view("BM1234\0\0\0\0", 10)), yes);
  EXPECT_EQ(looks_like_picture("BMW photos/x.jpg"), no);
  EXPECT_EQ(looks_like_picture("P6"), more);
  EXPECT_EQ(looks_like_picture("P6\n"), yes);
  EXPECT_EQ(looks_like_picture("P61.jpg"), no);
  EXPECT_EQ(looks_like_picture("P9\n"), no);
  EXPECT_EQ(looks_like_picture("photo.jpg"), no);
}

}  // namespace
}  // namespace tessera
