#pragma once
// text("conv '", name, "': has ", 3, " channels"): one string from parts, without a formatting dependency, so that
// tessera::boxdecode links alone. Numbers are written without the locale.

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera {

template <class T>
void append_text(std::string& out, const T& part) {
  if constexpr (std::is_same_v<T, bool>) {
    out += part ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    out += part;
  } else if constexpr (std::is_arithmetic_v<T>) {
    char buffer[64];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, part).ptr);
  } else {
    out += std::string_view(part);
  }
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

}  // namespace tessera
