#pragma once
// Small tools for text that came from a file: cutting it up, showing it in an error, guessing what was meant.

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

/// Drops blanks (not line ends) at both ends.
std::string_view trim(std::string_view s) noexcept;

/// Cuts the next line off `rest`, whatever its end: LF, CRLF or CR alone.
std::string_view next_line(std::string_view& rest) noexcept;

/// Cuts the next piece off `rest`, up to the separator, trimmed.
std::string_view next_piece(std::string_view& rest, char separator) noexcept;

/// "'text'": printable, at most 60 characters of it.
std::string quoted(std::string_view raw);

/// Insertions, deletions and changes that turn a into b; only the first 64 characters count.
int edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'filters'?", or "" when no name in `known` is near.
template <class Range, class Name>
std::string did_you_mean(std::string_view word, const Range& known, Name name) {
  std::string_view best;
  int best_distance = static_cast<int>(word.size() < 3 ? 1 : word.size() / 3 + 1) + 1;
  for (const auto& candidate : known) {
    const int distance = edit_distance(word, std::invoke(name, candidate));
    if (distance < best_distance) best = std::invoke(name, candidate), best_distance = distance;
  }
  return best.empty() ? std::string() : "; did you mean '" + std::string(best) + "'?";
}

/// The whole of `s` as a number, else nullopt. No leading '+', no blanks, no locale.
template <class T>
std::optional<T> parse_number(std::string_view s) noexcept {
  T value{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return value;
}

}  // namespace tessera
