#include "model/class_names.h"

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera {
namespace {

/// Length of the well-formed character at the front, 0 if it is not one.
std::size_t utf8_length(std::string_view s) noexcept {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0, surrogate = lead == 0xed && byte(1) > 0x9f;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool overlong = lead == 0xf0 && byte(1) < 0x90, beyond = lead == 0xf4 && byte(1) > 0x8f;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

std::string_view without_trailing_lines(std::string_view bytes) {
  const auto last = bytes.find_last_not_of(" \t\v\f\r\n");
  return last == std::string_view::npos ? std::string_view() : bytes.substr(0, last + 1);
}

}  // namespace

bool is_plain_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

Result<std::vector<std::string>> parse_class_names(std::string_view bytes, std::string_view label) {
  const auto fail = [&](std::size_t line, std::string_view fact) {
    return Error{Code::corrupt, text("class names '", label, "': line ", line, " ", fact)};
  };
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  std::vector<std::string> names;
  for (bytes = without_trailing_lines(bytes); !bytes.empty();) {
    const std::string_view name = trim(next_line(bytes));
    if (name.empty()) return fail(names.size() + 1, "is empty; want one name a line");
    if (!is_plain_utf8(name)) return fail(names.size() + 1, "is not UTF-8 text");
    if (names.size() == kMaxClasses) return fail(names.size() + 1, text("is one too many; at most ", kMaxClasses));
    names.emplace_back(name);
  }
  if (names.empty()) return Error{Code::corrupt, text("class names '", label, "': no name in it")};
  return names;
}

}  // namespace tessera
