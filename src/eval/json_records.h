#pragma once
// Arrays of flat objects read out of a JSON file of any size, one at a time: the file never stands in memory as a tree,
// and members that nobody asked for (outlines of objects are nine tenths of a COCO file) cost nothing.

#include <tessera/result.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::eval {

struct JsonValue {
  enum class Kind : std::uint8_t { absent, null, boolean, number, text, numbers, other } kind = Kind::absent;
  double number = 0;                  ///< boolean: 0 or 1
  std::optional<std::int64_t> whole;  ///< a number without a fraction that fits
  std::string text;
  std::vector<double> numbers;  ///< an array of numbers alone
};

/// One element: the values of JsonSection::wanted, in that order.
using JsonRecord = std::span<const JsonValue>;

/// One array of the file.
struct JsonSection {
  std::string_view name;                      ///< of the member that holds it; "": the file itself is the array
  std::vector<std::string_view> wanted;       ///< members of each element; empty: elements are plain numbers
  std::function<Status(JsonRecord)> element;  ///< its errors get the place put before them
  bool found = false;                         ///< set: the file has it
};

/// Calls each section's `element` for each of its elements, in file order. Of a member given twice the last counts.
/// Errors  corrupt: no JSON, an element of the wrong kind, a section given twice; and what `element` says.
///         All begin with `label` and a place: "gt.json: annotations[17]: ...", "gt.json: byte 230: is no JSON".
Status read_json_records(std::span<const std::byte> json, std::string_view label, std::span<JsonSection> sections);

/// What elements ask of a value; the error says what is wrong with the member `name`.
Result<std::int64_t> want_whole(const JsonValue& value, std::string_view name);
Result<double> want_number(const JsonValue& value, std::string_view name);  ///< finite

}  // namespace tessera::eval
