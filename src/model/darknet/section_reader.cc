#include "model/darknet/section_reader.h"

#include <type_traits>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::darknet {

Error SectionReader::fail(Code code, std::string_view fact) const {
  return {code, text(where(cfg_, section_, section_.line), ": ", fact)};
}

Error SectionReader::fail(Code code, std::string_view key, std::string_view fact) const {
  const CfgEntry* entry = section_.find(key);
  return {code, text(where(cfg_, section_, entry ? entry->line : section_.line), ": ", fact)};
}

void SectionReader::note(Error error) {
  if (!error_) error_ = std::move(error);
}

template <class T>
std::optional<T> SectionReader::parse(const CfgEntry& entry, std::string_view piece, T min, T max) {
  const auto value = parse_number<T>(piece);
  // Written so that a NaN fails it too.
  if (value && *value >= min && *value <= max) return value;
  note(fail(Code::invalid_argument, entry.key,
            text("key '", entry.key, "' is ", quoted(piece), ", want a ",
                 std::is_integral_v<T> ? "whole number" : "number", " from ", min, " to ", max)));
  return std::nullopt;
}

template <class T>
std::vector<T> SectionReader::list(std::string_view key, T min, T max) {
  std::vector<T> values;
  const CfgEntry* entry = section_.find(key);
  if (entry == nullptr) return values;
  const std::string_view whole = entry->value;
  for (std::size_t begin = 0; begin <= whole.size();) {
    const std::size_t end = std::min(whole.find(',', begin), whole.size());
    const auto value = parse<T>(*entry, trim(whole.substr(begin, end - begin)), min, max);
    if (!value) return {};
    values.push_back(*value);
    begin = end + 1;
  }
  return values;
}

int SectionReader::integer(std::string_view key, int fallback, Range range) {
  const CfgEntry* entry = section_.find(key);
  if (entry == nullptr) return fallback;
  return static_cast<int>(parse<std::int64_t>(*entry, entry->value, range.min, range.max).value_or(fallback));
}

float SectionReader::number(std::string_view key, float fallback, float min, float max) {
  const CfgEntry* entry = section_.find(key);
  return entry == nullptr ? fallback : parse<float>(*entry, entry->value, min, max).value_or(fallback);
}

std::string_view SectionReader::word(std::string_view key, std::string_view fallback) const noexcept {
  const CfgEntry* entry = section_.find(key);
  return entry == nullptr ? fallback : std::string_view(entry->value);
}

std::vector<int> SectionReader::integers(std::string_view key, Range range) {
  return list<int>(key, static_cast<int>(range.min), static_cast<int>(range.max));
}

std::vector<float> SectionReader::numbers(std::string_view key, float min, float max) {
  return list<float>(key, min, max);
}

void SectionReader::require(std::string_view key, std::string_view wish) {
  if (!has(key)) note(fail(Code::invalid_argument, text("lacks the key '", key, "'; ", wish)));
}

}  // namespace tessera::darknet
