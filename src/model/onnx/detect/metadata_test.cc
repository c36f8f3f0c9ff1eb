#include "model/onnx/detect/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PythonNames, ListsAndDictionaries) {
  EXPECT_THAT(*python_names("['a', \"b's\"]"), ElementsAre("a", "b's"));
  EXPECT_THAT(*python_names(" {0: 'a', 1: 'it\\'s',2:'c, d: {e}'} "), ElementsAre("a", "it's", "c, d: {e}"));
  EXPECT_THAT(*python_names("[]"), IsEmpty());
}

TEST(PythonNames, OtherTextIsRefused) {
  for (const char* text : {"", "a", "{0: 'a'", "{1: 'a'}", "{0: 'a', 2: 'b'}", "['a' 'b']", "['a',]", "[a]", "['a'] x",
                           "['a", "{'0': 'a'}", "{0 'a'}", "[1]"}) {
    EXPECT_FALSE(python_names(text).has_value()) << text;
  }
}

TEST(ExportFacts, NumbersInBothForms) {
  const auto facts = export_facts({{"imgsz", "[480, 640]"}, {"stride", "[8, 16, 32]"}, {"author", "nobody"}});
  ASSERT_TRUE(facts.has_value()) << facts.error().message;
  EXPECT_THAT(facts->imgsz, ElementsAre(480, 640));
  EXPECT_EQ(facts->stride, 32);
  EXPECT_THAT(facts->names, IsEmpty());
  EXPECT_THAT(export_facts({{"imgsz", "320"}})->imgsz, ElementsAre(320, 320));
  EXPECT_FALSE(export_facts({})->stride.has_value());
}

TEST(ExportFacts, WhatCannotBeReadIsNamed) {
  EXPECT_THAT(export_facts({{"names", "person"}}).error().message,
              HasSubstr("metadata key 'names' is 'person': want {0: 'name'"));
  EXPECT_THAT(export_facts({{"imgsz", "[1, 2, 3]"}}).error().message, HasSubstr("want [height, width]"));
  EXPECT_THAT(export_facts({{"stride", "99999999999999999999"}}).error().message, HasSubstr("want a number"));
}

}  // namespace
}  // namespace tessera::onnx
