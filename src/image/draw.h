#pragma once
// Drawing results onto a picture: rectangles, label boxes, text. Everything is clipped to the picture.

#include <string_view>

#include "image/image.h"

namespace tessera {

/// Pixels [left, right) x [top, bottom); may lie partly or wholly outside.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;
  int width() const noexcept { return right - left; }
  int height() const noexcept { return bottom - top; }
  bool operator==(const PixelRect&) const = default;
};

/// A fixed, distinct color per class id: the same class has the same color in every picture and every run.
Rgb class_color(int class_id) noexcept;
/// Black or white, whichever reads better on `background` (WCAG relative luminance).
Rgb text_color(Rgb background) noexcept;

/// Line thickness and text height that suit a picture of this size.
struct DrawStyle {
  int thickness = 2;
  int text_height = 14;  ///< from the top of capitals to the bottom of descenders
};
DrawStyle draw_style(int width, int height) noexcept;

void fill_rect(Image& image, PixelRect rect, Rgb color) noexcept;
/// The frame of `rect`, drawn inwards, `thickness` pixels wide.
void draw_rect(Image& image, PixelRect rect, int thickness, Rgb color) noexcept;

/// Width in pixels of one line of text. UTF-8; what is not printable ASCII counts as one '?' per code point.
int text_width(std::string_view utf8, int text_height) noexcept;
/// One line with its top left corner at (x, y), anti-aliased.
void draw_text(Image& image, int x, int y, std::string_view utf8, int text_height, Rgb color) noexcept;

/// A box and its label: the label stands on the box's top edge, or inside when there is no room above, and is moved
/// and if need be shortened so that it stays inside the picture. Returns where the label went (empty without text).
PixelRect draw_labeled_box(Image& image, PixelRect box, std::string_view label, Rgb color, DrawStyle style) noexcept;

}  // namespace tessera
