#pragma once
// Tessera's own stroke font for labels: printable ASCII as pen strokes on a small grid, so one table serves all sizes.

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace tessera::image_internal {

/// Grid rows: 0 top of capitals, 4 top of small letters, 12 base line, 16 bottom of descenders.
inline constexpr int kFontRows = 16;
/// Columns left empty after a glyph.
inline constexpr int kFontGap = 3;

/// Strokes of a printable ASCII character (others: those of '?'). Each stroke is a run of points of two letters, x and
/// y (0..9, then a..g for 10..16); strokes are separated by spaces. "0c408c 1979" is an A.
std::string_view glyph_strokes(char c) noexcept;

/// Columns from the left edge to the rightmost point; 2 for the space.
int glyph_columns(char c) noexcept;

struct Segment {
  float x0, y0, x1, y1;  ///< grid units
};
/// The straight pieces of a character.
std::vector<Segment> glyph_segments(char c);

/// The printable ASCII that a UTF-8 text is drawn as: every other code point, and every stray byte, becomes '?'.
class GlyphCursor {
 public:
  explicit GlyphCursor(std::string_view utf8) : rest_(utf8) {}
  bool next(char& c) noexcept;
  std::size_t left() const noexcept { return rest_.size(); }  ///< bytes not yet read

 private:
  std::string_view rest_;
};

}  // namespace tessera::image_internal
