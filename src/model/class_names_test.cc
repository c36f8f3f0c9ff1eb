#include "model/class_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/test_models.h"

namespace tessera {
namespace {

using testing::ElementsAre;

std::string error_of(std::string_view bytes) {
  const auto names = parse_class_names(bytes, "t.names");
  return names ? "no error" : names.error().message;
}

TEST(ClassNames, OnePerLineWhateverTheLineEnds) {
  for (const std::string_view bytes : {"cat\ntraffic light\n", "cat\r\ntraffic light", " cat \rtraffic light\t\r\r\r",
                                       "\xef\xbb\xbf"
                                       "cat\ntraffic light\n\n \n"}) {
    const auto names = parse_class_names(bytes, "t.names");
    ASSERT_TRUE(names.has_value()) << names.error().message;
    EXPECT_THAT(*names, ElementsAre("cat", "traffic light"));
  }
}

TEST(ClassNames, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("\n \n"), "class names 't.names': no name in it");
  EXPECT_EQ(error_of("cat\n\ndog\n"), "class names 't.names': line 2 is empty; want one name a line");
  EXPECT_EQ(error_of("cat\nd\x80g\n"), "class names 't.names': line 2 is not UTF-8 text");
  std::string many;
  for (std::size_t i = 0; i <= kMaxClasses; ++i) many += "x\n";
  EXPECT_EQ(error_of(many), "class names 't.names': line 65537 is one too many; at most 65536");
}

TEST(ClassNames, Utf8IsCheckedAsInRfc3629) {
  for (const std::string_view good : {"", "a~", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
                                      "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_plain_utf8(good)) << testing::PrintToString(good);
  }
  for (const std::string_view bad :
       {"\x1f", "\x7f", "\x80", "\xc1\xbf", "\xc2", "\xc2 ", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_plain_utf8(bad)) << testing::PrintToString(bad);
  }
}

constexpr std::string_view kTwoClasses =
    "[net]\nwidth=4\nheight=4\nchannels=7\n[maxpool]\nsize=1\n[yolo]\nanchors=1,1\nclasses=2\n";

TEST(ClassNames, MustMatchTheClasses) {
  const auto model = load_cfg(kTwoClasses, 0, "a\nb\n");
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_THAT(model->class_names, ElementsAre("a", "b"));
  EXPECT_EQ(load_error(kTwoClasses, 0, "a\n"), "model 't.cfg': 1 class names for 2 classes");
  EXPECT_EQ(load_error(kTwoClasses, 0, "a\nb\nc\n"), "model 't.cfg': 3 class names for 2 classes");
  EXPECT_EQ(load_error("[net]\nwidth=4\nheight=4\n[maxpool]\n", 0, "a\n"),
            "model 't.cfg': has no detector head; class names mean nothing to it");
}

}  // namespace
}  // namespace tessera
