// Text as strokes of round pens: a pixel's coverage follows from its distance to the nearest stroke.

#include <algorithm>
#include <cmath>

#include "image/draw.h"
#include "image/font.h"

namespace tessera {
namespace {

using image_internal::GlyphCursor;
using image_internal::kFontGap;
using image_internal::kFontRows;
using image_internal::Segment;

// One grid unit above and below the strokes leaves room for the pen's own width.
float unit_of(int text_height) { return static_cast<float>(std::max(text_height, 1)) / (kFontRows + 2); }

// Thinner than this a pen fades out at small sizes.
float pen_radius(float unit) { return std::max(0.6f, 0.85f * unit); }

int advance(char c, float unit) {
  return static_cast<int>(std::lrint(unit * static_cast<float>(image_internal::glyph_columns(c) + kFontGap)));
}

float distance(const Segment& s, float x, float y) {
  const float dx = s.x1 - s.x0, dy = s.y1 - s.y0, px = x - s.x0, py = y - s.y0;
  const float t = std::clamp((px * dx + py * dy) / std::max(dx * dx + dy * dy, 1e-6f), 0.0f, 1.0f);
  return std::hypot(px - t * dx, py - t * dy);
}

std::uint8_t mix(std::uint8_t under, std::uint8_t color, float coverage) {
  const auto from = static_cast<float>(under), to = static_cast<float>(color);
  return static_cast<std::uint8_t>(std::lrint(from + (to - from) * coverage));
}

void draw_glyph(Image& image, int left, int top, char c, float unit, Rgb color) {
  const float radius = pen_radius(unit), origin = unit;  // the first stroke lies one unit inside
  std::vector<Segment> segments = image_internal::glyph_segments(c);
  for (Segment& s : segments) s = {s.x0 * unit, s.y0 * unit, s.x1 * unit, s.y1 * unit};
  const auto ceil_units = [&](int units) { return static_cast<int>(std::ceil(static_cast<float>(units) * unit)); };
  const int right = std::min(left + ceil_units(image_internal::glyph_columns(c) + 2) + 1, image.width);
  const int bottom = std::min(top + ceil_units(kFontRows + 2), image.height);
  for (int y = std::max(top, 0); y < bottom; ++y) {
    for (int x = std::max(left, 0); x < right; ++x) {
      const float px = static_cast<float>(x - left) + 0.5f - origin, py = static_cast<float>(y - top) + 0.5f - origin;
      float nearest = 1e9f;
      for (const Segment& s : segments) nearest = std::min(nearest, distance(s, px, py));
      const float coverage = std::clamp(radius - nearest + 0.5f, 0.0f, 1.0f);
      if (coverage == 0.0f) continue;
      std::uint8_t* p = image.row(y) + 3 * x;
      p[0] = mix(p[0], color.r, coverage);
      p[1] = mix(p[1], color.g, coverage);
      p[2] = mix(p[2], color.b, coverage);
    }
  }
}

}  // namespace

int text_width(std::string_view utf8, int text_height) noexcept {
  const float unit = unit_of(text_height);
  int width = 0;
  GlyphCursor glyphs(utf8);
  for (char c = 0; glyphs.next(c);) width += advance(c, unit);
  return width;
}

void draw_text(Image& image, int x, int y, std::string_view utf8, int text_height, Rgb color) noexcept {
  const float unit = unit_of(text_height);
  GlyphCursor glyphs(utf8);
  for (char c = 0; glyphs.next(c) && x < image.width;) {
    draw_glyph(image, x, y, c, unit, color);
    x += advance(c, unit);
  }
}

}  // namespace tessera
