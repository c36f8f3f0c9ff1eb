#pragma once
// Numbers out of text, without the locale.

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace tessera::eval {

inline std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The whole text as one finite number.
inline std::optional<double> read_number(std::string_view text) noexcept {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace tessera::eval
