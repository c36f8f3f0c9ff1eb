#include "model/onnx/detect/metadata.h"

#include <algorithm>

#include "base/text.h"
#include "model/class_names.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

/// A cursor over Python's notation.
class Python {
 public:
  explicit Python(std::string_view text) : rest_(text) {}

  /// The character, after blanks.
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  std::optional<std::int64_t> number() {
    skip_blanks();
    const std::size_t length = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    const auto value = parse_number<std::int64_t>(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return value;
  }
  /// '...' or "..."; a backslash keeps the character after it.
  std::optional<std::string> string() {
    skip_blanks();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const char quote = rest_.front();
    std::string out;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == quote) {
        rest_.remove_prefix(i + 1);
        return out;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      out += rest_[i];
    }
    return std::nullopt;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  std::string_view rest_;
};

Error unreadable(std::string_view key, std::string_view value, std::string_view wish) {
  return {Code::corrupt, text("metadata key '", key, "' is ", quoted(value.substr(0, 60)), ": want ", wish)};
}

std::optional<std::vector<std::int64_t>> python_numbers(std::string_view text) {
  Python python(text);
  std::vector<std::int64_t> out;
  const bool list = python.take('[') || python.take('(');
  do {
    const auto number = python.number();
    if (!number) return std::nullopt;
    out.push_back(*number);
  } while (list && python.take(','));
  if (list && !python.take(']') && !python.take(')')) return std::nullopt;
  if (!python.at_end()) return std::nullopt;
  if (out.size() == 1) out.push_back(out.front());
  return out;
}

}  // namespace

std::optional<std::vector<std::string>> python_names(std::string_view text) {
  Python python(text);
  const bool dictionary = python.take('{');
  if (!dictionary && !python.take('[')) return std::nullopt;
  const char close = dictionary ? '}' : ']';
  std::vector<std::string> out;
  while (!python.take(close)) {
    if (!out.empty() && !python.take(',')) return std::nullopt;
    if (out.size() == kMaxClasses) return std::nullopt;
    if (dictionary && (python.number() != static_cast<std::int64_t>(out.size()) || !python.take(':'))) {
      return std::nullopt;
    }
    auto name = python.string();
    if (!name) return std::nullopt;
    out.push_back(std::move(*name));
  }
  return python.at_end() ? std::optional(std::move(out)) : std::nullopt;
}

Result<ExportFacts> export_facts(const std::map<std::string, std::string>& metadata) {
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string_view() : std::string_view(found->second);
  };
  ExportFacts out;
  out.task = value("task");
  if (const auto names = value("names"); !names.empty()) {
    auto read = python_names(names);
    if (!read) return unreadable("names", names, "{0: 'name', 1: 'name', ...}");
    out.names = std::move(*read);
  }
  if (const auto stride = value("stride"); !stride.empty()) {
    const auto read = python_numbers(stride);
    if (!read) return unreadable("stride", stride, "a number");
    out.stride = std::ranges::max(*read);
  }
  if (const auto imgsz = value("imgsz"); !imgsz.empty()) {
    auto read = python_numbers(imgsz);
    if (!read || read->size() != 2) return unreadable("imgsz", imgsz, "[height, width]");
    out.imgsz = std::move(*read);
  }
  return out;
}

}  // namespace tessera::onnx
