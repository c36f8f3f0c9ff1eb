#include "eval/json_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/text.h"
#include "eval/test_data.h"

namespace tessera::eval {
namespace {

using test::bytes_of;
using testing::ElementsAre;
using testing::IsEmpty;

/// What a section "items" with members a and b hears, as short texts; or the error.
std::vector<std::string> heard(std::string_view json, std::string_view name = "items") {
  std::vector<std::string> out;
  const auto show = [](const JsonValue& v) -> std::string {
    switch (v.kind) {
      case JsonValue::Kind::absent:
        return "-";
      case JsonValue::Kind::null:
        return "null";
      case JsonValue::Kind::boolean:
        return v.number != 0 ? "true" : "false";
      case JsonValue::Kind::number:
        return v.whole ? text(*v.whole) : text("~", v.number);
      case JsonValue::Kind::text:
        return text("'", v.text, "'");
      case JsonValue::Kind::numbers:
        return text("[", v.numbers.size(), "]");
      case JsonValue::Kind::other:
        return "?";
    }
    return "";
  };
  std::array<JsonSection, 1> sections{JsonSection{name, {"a", "b"}, [&](JsonRecord r) -> Status {
                                                    out.push_back(show(r[0]) + " " + show(r[1]));
                                                    return {};
                                                  }}};
  const auto status = read_json_records(bytes_of(json), "f.json", sections);
  if (!status) return {status.error().message};
  if (!sections[0].found) return {"not found"};
  return out;
}

TEST(JsonRecords, ValuesOfEveryKind) {
  EXPECT_THAT(heard(R"({"items":[{"a":1,"b":-2.5},{"b":"x","a":true},{"a":[1,2],"b":null},{}]})"),
              ElementsAre("1 ~-2.5", "true 'x'", "[2] null", "- -"));
  EXPECT_THAT(heard(R"({"items":[{"a":139.0,"b":9223372036854775807}]})"), ElementsAre("139 9223372036854775807"));
  EXPECT_THAT(heard(R"({"items":[{"a":18446744073709551615,"b":1e300}]})"),
              ElementsAre("~18446744073709551616 ~1e+300"));
  EXPECT_THAT(heard(R"({"items":[{"a":1,"a":2}]})"), ElementsAre("2 -"));
}

TEST(JsonRecords, OnlyWhatIsAskedFor) {
  EXPECT_THAT(
      heard(R"({"x":{"items":[{"a":9}]},"y":[[{"a":8}]],"items":[{"c":{"a":7},"d":[{"a":6}],"a":5,"z":[[1]]}]})"),
      ElementsAre("5 -"));
  EXPECT_THAT(heard(R"({"items":[{"a":{"a":1},"b":[1,[2]]},{"a":[1,"2"],"b":[{}]}]})"), ElementsAre("? ?", "? ?"));
  EXPECT_THAT(heard(R"({"items":{"a":1}})"), ElementsAre("not found"));
  EXPECT_THAT(heard(R"({"items":3,"b":[{"a":1}]})"), ElementsAre("not found"));
  EXPECT_THAT(heard(R"({"items":[]})"), IsEmpty());
}

TEST(JsonRecords, TheFileItselfMayBeTheArray) {
  EXPECT_THAT(heard(R"([{"a":1},{"b":2}])", ""), ElementsAre("1 -", "- 2"));
  EXPECT_THAT(heard(R"({"":[{"a":1}]})", ""), ElementsAre("not found"));
  EXPECT_THAT(heard(R"([{"a":1}])"), ElementsAre("not found"));
}

TEST(JsonRecords, ErrorsNameTheirPlace) {
  EXPECT_THAT(heard(""), ElementsAre("f.json: byte 1: is no JSON"));
  EXPECT_THAT(heard(R"({"items":[{"a":1},)"), ElementsAre("f.json: byte 19: is no JSON"));
  EXPECT_THAT(heard("{\"items\":[{\"a\":\"\xff\"}]}"), ElementsAre("f.json: byte 17: is no JSON"));
  EXPECT_THAT(heard(R"({"items":[{"a":1e999}]})"), ElementsAre("f.json: byte 20: is no JSON"));
  EXPECT_THAT(heard(R"({"items":[]} x)"), ElementsAre("f.json: byte 14: is no JSON"));
  EXPECT_THAT(heard(R"({"items":[{},7]})"), ElementsAre("f.json: items[1]: is no object"));
  EXPECT_THAT(heard(R"({"items":[{},[]]})"), ElementsAre("f.json: items[1]: is no object"));
  EXPECT_THAT(heard(R"({"items":[],"items":[]})"), ElementsAre("f.json: has two 'items'"));
}

TEST(JsonRecords, ElementErrorsGetTheirPlace) {
  std::array<JsonSection, 1> sections{
      JsonSection{"n", {}, [](JsonRecord r) {
                    return r[0].whole == 2 ? Status(Error{Code::corrupt, "is two"}) : Status();
                  }}};
  EXPECT_EQ(read_json_records(bytes_of(R"({"n":[1,2]})"), "f", sections).error().message, "f: n[1]: is two");
  sections[0].found = false;
  EXPECT_EQ(read_json_records(bytes_of(R"({"n":[1,"2"]})"), "f", sections).error().message, "f: n[1]: is no number");
  sections[0].found = false;
  EXPECT_EQ(read_json_records(bytes_of(R"({"n":[{}]})"), "f", sections).error().message, "f: n[0]: is no number");
}

TEST(JsonRecords, DepthIsNoDanger) {
  const std::string deep =
      "{\"x\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + ",\"items\":[{\"a\":1}]}";
  EXPECT_THAT(heard(deep), ElementsAre("1 -"));
}

}  // namespace
}  // namespace tessera::eval
