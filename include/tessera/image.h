#pragma once
// Pixels that somebody else owns.

#include <cstdint>

namespace tessera {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// Borrowed pixels: rows of width * 3 bytes (R, G, B), row_bytes apart. Valid as long as the owner.
struct ImageView {
  const std::uint8_t* data = nullptr;
  int width = 0, height = 0;
  std::int64_t row_bytes = 0;  ///< >= width * 3
  const std::uint8_t* row(int y) const noexcept { return data + y * row_bytes; }
  Rgb pixel(int x, int y) const noexcept { return {row(y)[x * 3], row(y)[x * 3 + 1], row(y)[x * 3 + 2]}; }
};

}  // namespace tessera
