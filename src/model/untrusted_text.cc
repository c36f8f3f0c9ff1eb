#include "model/untrusted_text.h"

#include <algorithm>
#include <array>

namespace tessera {

std::string_view trim(std::string_view s) noexcept {
  constexpr std::string_view kBlank = " \t\v\f";
  const auto first = s.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlank) - first + 1);
}

std::string_view next_line(std::string_view& rest) noexcept {
  const auto end = rest.find_first_of("\r\n");
  const std::string_view line = rest.substr(0, end);
  if (end == std::string_view::npos) {
    rest = {};
  } else {
    const bool crlf = rest[end] == '\r' && end + 1 < rest.size() && rest[end + 1] == '\n';
    rest.remove_prefix(end + (crlf ? 2 : 1));
  }
  return line;
}

std::string_view next_piece(std::string_view& rest, char separator) noexcept {
  const auto end = rest.find(separator);
  const std::string_view piece = trim(rest.substr(0, end));
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return piece;
}

std::string quoted(std::string_view raw) {
  std::string out = "'";
  for (char c : raw.substr(0, 60)) out += c >= 0x20 && c < 0x7f ? c : '?';
  return out + (raw.size() > 60 ? "...'" : "'");
}

int edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, 64);
  b = b.substr(0, 64);
  std::array<int, 65> row{};  // row[j]: distance from the part of a seen so far to the first j characters of b
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace tessera
