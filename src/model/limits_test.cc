// Small inputs must not ask for much work or memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "base/text.h"
#include "model/native/crc32.h"
#include "model/native/native.h"
#include "model/test_models.h"

namespace tessera {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view bytes) {
  const auto model =
      load_model(ModelBytes{.name = "t", .model = as_bytes(bytes), .weights = {}, .names = {}, .size = {}, .log = {}});
  return model ? "no error" : model.error().message;
}

/// A native file of these lines without constants.
std::string native_file(std::string_view lines) {
  std::string out = text(native::kMagic, "\n", lines, "blob bytes=0 crc32=00000000\n");
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", native::crc32(as_bytes(out)));
  out += text("end crc32=", std::string_view(digits), "\n");
  out.resize((out.size() + 63) / 64 * 64, '\n');
  return out;
}

constexpr std::string_view kLines = "input name=x shape=1,2,2,1\npool name=p inputs=x\ngraph inputs=x outputs=p\n";

TEST(Limits, ACfgIsAtMostSixteenMegabytes) {
  std::string cfg = "[net]\n";
  cfg.resize(static_cast<std::size_t>(kMaxTextBytes) + 1, '\n');
  EXPECT_EQ(error_of(cfg), "t: a cfg of 16777217 bytes; at most 16777216");
}

TEST(Limits, AHeaderLineHasAtMostSixtyFourFields) {
  std::string line = "softmax name=s inputs=p";
  for (int i = 0; i < 63; ++i) line += text(" k", i, "=1");
  EXPECT_THAT(error_of(native_file(text(kLines, line, "\n"))), HasSubstr("header line 5: more than 64 fields"));
}

TEST(Native, NeedsNoMoreThanAGraph) { EXPECT_EQ(error_of(native_file(kLines)), "no error"); }

TEST(Native, FactsOfTheModelStandOnce) {
  for (const std::string_view line :
       {"model name=a\nmodel name=b\n", "preprocess\npreprocess\n", "graph outputs=p\n"}) {
    EXPECT_THAT(error_of(native_file(text(kLines, line))), HasSubstr("; a model has one")) << line;
  }
}

}  // namespace
}  // namespace tessera
