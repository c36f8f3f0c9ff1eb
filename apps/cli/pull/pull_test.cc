#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "pull/known_models.h"
#include "pull/sha256.h"

namespace tessera::cli {
namespace {

std::string sha256(const std::string& text, std::size_t step = 1000000) {
  Sha256 sum;
  for (std::size_t at = 0; at < text.size(); at += step)
    sum.update(std::as_bytes(std::span(text)).subspan(at, std::min(step, text.size() - at)));
  return sum.finish();
}

// FIPS 180-4 examples, published by NIST ("SHA-256 example values").
TEST(Sha256, PublishedExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {
  for (std::size_t length : {55u, 56u, 63u, 64u, 65u, 119u, 120u, 128u, 300u}) {
    const std::string text(length, 'x');
    for (std::size_t step : {1u, 7u, 63u, 64u, 65u})
      EXPECT_EQ(sha256(text, step), sha256(text)) << length << " " << step;
  }
}

TEST(Sha256, FileThatIsNotThere) { EXPECT_EQ(sha256_of_file("/nonexistent/x").error().code, Code::io); }

TEST(KnownModels, EntriesAreWellFormed) {
  ASSERT_FALSE(known_models().empty());
  for (const KnownModel& model : known_models()) {
    EXPECT_EQ(find_known_model(model.name), &model);
    EXPECT_FALSE(model.license.empty()) << model.name;
    EXPECT_EQ(model.license_url.substr(0, 8), "https://") << model.name;
    std::set<std::string_view> names;
    for (const KnownFile& file : model.files) {
      EXPECT_TRUE(names.insert(file.name).second) << file.name;
      EXPECT_EQ(file.base.substr(0, 8), "https://") << file.name;
      EXPECT_EQ(file.base.back(), '/') << file.name;
      EXPECT_NE(file.path.front(), '/') << file.name;
      EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64) << file.name;
      EXPECT_EQ(file.sha256.find_first_not_of("0123456789abcdef"), std::string_view::npos) << file.name;
    }
  }
  EXPECT_EQ(find_known_model("yolov99"), nullptr);
}

}  // namespace
}  // namespace tessera::cli
