#pragma once
// The order people expect of numbered files: photo2 before photo10.

#include <string_view>

namespace tessera {

/// A strict weak order on bytes in which runs of ASCII digits compare by value; equal values (7, 007) by length.
/// No locale takes part, so the order is the same on every machine.
bool natural_less(std::string_view a, std::string_view b) noexcept;

}  // namespace tessera
