#pragma once
// JSON written piece by piece, for results that never stand in memory as a whole.

#include <string>
#include <string_view>

namespace tessera {

/// "..." with escapes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view bytes);

}  // namespace tessera
