#include "model/darknet/cfg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace tessera::darknet {
namespace {

std::string error_of(std::string_view bytes) {
  const auto cfg = parse_cfg(bytes, "t.cfg");
  if (cfg) return "no error";
  EXPECT_EQ(cfg.error().code, Code::corrupt);
  return cfg.error().message;
}

TEST(Cfg, KeepsSectionsKeysAndLines) {
  const auto cfg = parse_cfg(
      "# comment\n[net]\nwidth = 416 # inline\n\n; more\n[ convolutional ]\n\tfilters=32\nlayers = -1, 8\n", "t");
  ASSERT_TRUE(cfg.has_value()) << cfg.error().message;
  ASSERT_EQ(cfg->sections.size(), 2u);
  EXPECT_EQ(cfg->sections[0].kind, "net");
  EXPECT_EQ(cfg->sections[0].index, -1);
  EXPECT_EQ(cfg->sections[0].find("width")->value, "416");
  EXPECT_EQ(cfg->sections[0].find("width")->line, 3);
  EXPECT_EQ(cfg->sections[1].kind, "convolutional");
  EXPECT_EQ(cfg->sections[1].index, 0);
  EXPECT_EQ(cfg->sections[1].line, 6);
  EXPECT_EQ(cfg->sections[1].find("layers")->value, "-1, 8");
  EXPECT_EQ(cfg->sections[1].find("size"), nullptr);
}

TEST(Cfg, EveryLineEndAndAByteOrderMarkGiveTheSame) {
  for (const std::string_view bytes :
       {"[net]\nwidth=4\n[maxpool]\nsize=2", "[net]\r\nwidth=4\r\n[maxpool]\r\nsize=2\r\n",
        "[net]\rwidth=4\r[maxpool]\rsize=2\r", "\xef\xbb\xbf[net]\nwidth=4\n[maxpool]\nsize=2\n"}) {
    const auto cfg = parse_cfg(bytes, "t");
    ASSERT_TRUE(cfg.has_value()) << cfg.error().message;
    ASSERT_EQ(cfg->sections.size(), 2u);
    EXPECT_EQ(cfg->sections[1].line, 3);
    EXPECT_EQ(cfg->sections[1].find("size")->value, "2");
    EXPECT_EQ(cfg->sections[1].find("size")->line, 4);
  }
}

TEST(Cfg, ErrorsNameTheLine) {
  EXPECT_EQ(error_of(""), "t.cfg: no section at all; a cfg begins with [net]");
  EXPECT_EQ(error_of("# nothing\n\n"), "t.cfg: no section at all; a cfg begins with [net]");
  EXPECT_EQ(error_of("width=3\n[net]"), "t.cfg: line 1: key 'width' before any section; a cfg begins with [net]");
  EXPECT_EQ(error_of("[maxpool]"), "t.cfg: line 1: section 'maxpool' comes first; a cfg begins with [net]");
  EXPECT_EQ(error_of("[net]\n\n[network]"), "t.cfg: line 3: second [network]; a cfg has one");
  EXPECT_EQ(error_of("[net"), "t.cfg: line 1: '[net' lacks the closing ']'");
  EXPECT_EQ(error_of("[net]\n[]"), "t.cfg: line 2: section without a name");
  EXPECT_EQ(error_of("[net]\nwidth"), "t.cfg: line 2: 'width' is neither a [section] nor key=value");
  EXPECT_EQ(error_of("[net]\n=4"), "t.cfg: line 2: '=4' has no key before '='");
  EXPECT_EQ(error_of("[net]\nwidth=1\n\nwidth=1"),
            "t.cfg: [net], line 4: key 'width' is given twice, first in line 2; keep one");
  EXPECT_EQ(error_of("[net]\n[maxpool]\nsize=1\nsize=2"),
            "t.cfg: [maxpool] 0, line 4: key 'size' is given twice, first in line 3; keep one");
  EXPECT_EQ(error_of(std::string_view("[net]\n\0", 7)), "t.cfg: line 2: holds a zero byte; a cfg is text");
}

TEST(Cfg, HasLimits) {
  EXPECT_EQ(error_of("[net]\n" + std::string(70000, 'x')), "t.cfg: line 2: line of 70000 bytes; at most 65536");
  std::string many = "[net]\n";
  for (std::size_t i = 0; i <= kMaxSections; ++i) many += "[dropout]\n";
  EXPECT_EQ(error_of(many), "t.cfg: line 10002: more than 10000 layers");
  many = "[net]\n";
  for (std::size_t i = 0; i <= kMaxEntriesPerSection; ++i) many += text("k", i, "=1\n");
  EXPECT_EQ(error_of(many), "t.cfg: line 1002: more than 1000 keys in one section");
}

TEST(Cfg, ShowsForeignBytesPrintably) {
  EXPECT_EQ(error_of("[net]\n\x1b[31mred"), "t.cfg: line 2: '?[31mred' is neither a [section] nor key=value");
  EXPECT_EQ(error_of("[net]\n" + std::string(100, 'y')),
            "t.cfg: line 2: '" + std::string(60, 'y') + "...' is neither a [section] nor key=value");
}

}  // namespace
}  // namespace tessera::darknet
