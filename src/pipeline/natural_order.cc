#include "pipeline/natural_order.h"

#include <algorithm>
#include <compare>
#include <cstddef>

namespace tessera {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Takes the digits at the front of `rest`.
std::string_view take_number(std::string_view& rest) noexcept {
  std::size_t length = 0;
  while (length < rest.size() && is_digit(rest[length])) ++length;
  const std::string_view number = rest.substr(0, length);
  rest.remove_prefix(length);
  return number;
}

std::string_view without_zeros(std::string_view number) noexcept {
  return number.substr(std::min(number.find_first_not_of('0'), number.size()));
}

/// By value without computing it: more significant digits is larger, so no run of digits is too long.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept {
  const std::string_view x = without_zeros(a), y = without_zeros(b);
  if (const auto by_size = x.size() <=> y.size(); by_size != 0) return by_size;
  return x.compare(y) <=> 0;
}

std::strong_ordering compare(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      if (const auto order = compare_numbers(take_number(a), take_number(b)); order != 0) return order;
      continue;
    }
    const auto order = static_cast<unsigned char>(a.front()) <=> static_cast<unsigned char>(b.front());
    if (order != 0) return order;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() <=> b.size();
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) noexcept {
  const auto order = compare(a, b);
  if (order != 0) return order < 0;
  return a.size() != b.size() ? a.size() < b.size() : a < b;  // 7 before 007
}

}  // namespace tessera
