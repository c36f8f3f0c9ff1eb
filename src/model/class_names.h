#pragma once
// A class names file: UTF-8, one name a line.

#include <tessera/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Blanks around a name are dropped, a byte order mark and empty lines at the end too; an empty line between names is
/// an error, for it would shift all later classes. Errors: corrupt, with the line.
Result<std::vector<std::string>> parse_class_names(std::string_view bytes, std::string_view label);

/// Well-formed UTF-8 without control characters (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
bool is_plain_utf8(std::string_view text) noexcept;

inline constexpr std::size_t kMaxClasses = 65536;

}  // namespace tessera
