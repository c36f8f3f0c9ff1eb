#include "image/draw.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "image/font.h"

namespace tessera {
namespace {

/// Full hue circle to color; hue in [0, 1), saturation and value in [0, 1].
Rgb from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](int n) {  // A. R. Smith's hexcone in closed form
    const double k = std::fmod(n + hue * 6, 6.0);
    const double v = value - value * saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lrint(255 * v));
  };
  return {channel(5), channel(3), channel(1)};
}

/// WCAG 2.1 relative luminance.
double luminance(Rgb color) {
  const auto linear = [](std::uint8_t v) {
    const double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

/// The longest beginning of `label` that fits `width` with ".." after it; the whole label if that fits.
std::string shorten(std::string_view label, int text_height, int width) {
  if (text_width(label, text_height) <= width) return std::string(label);
  std::string best;
  image_internal::GlyphCursor glyphs(label);
  for (char c = 0; glyphs.next(c);) {
    std::string longer(label.substr(0, label.size() - glyphs.left()));
    longer += "..";
    if (text_width(longer, text_height) > width) break;
    best = std::move(longer);
  }
  return best;
}

}  // namespace

Rgb class_color(int class_id) noexcept {
  // Golden-ratio steps keep any run of ids apart in hue; two lightness cycles of coprime length keep apart those
  // that come close again. Computed, so there is no end to the palette.
  const auto id = static_cast<unsigned>(class_id);
  constexpr double kSaturation[] = {0.95, 0.7, 0.85};
  constexpr double kValue[] = {1.0, 0.75, 0.9, 0.6, 0.82};
  const double hue = std::fmod(id * 0.6180339887498949, 1.0);
  return from_hsv(hue, kSaturation[id % 3], kValue[id % 5]);
}

Rgb text_color(Rgb background) noexcept {
  // Contrast with white is 1.05 / (L + 0.05), with black (L + 0.05) / 0.05: equal at L = sqrt(0.0525) - 0.05.
  return luminance(background) > 0.179 ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

void fill_rect(Image& image, PixelRect rect, Rgb color) noexcept {
  const int left = std::max(rect.left, 0), right = std::min(rect.right, image.width);
  const int top = std::max(rect.top, 0), bottom = std::min(rect.bottom, image.height);
  for (int y = top; y < bottom; ++y) {
    std::uint8_t* p = image.row(y) + 3 * left;
    for (int x = left; x < right; ++x, p += 3) {
      p[0] = color.r;
      p[1] = color.g;
      p[2] = color.b;
    }
  }
}

void draw_rect(Image& image, PixelRect rect, int thickness, Rgb color) noexcept {
  const int across = std::min(thickness, (rect.width() + 1) / 2), down = std::min(thickness, (rect.height() + 1) / 2);
  fill_rect(image, {rect.left, rect.top, rect.right, rect.top + down}, color);
  fill_rect(image, {rect.left, rect.bottom - down, rect.right, rect.bottom}, color);
  fill_rect(image, {rect.left, rect.top + down, rect.left + across, rect.bottom - down}, color);
  fill_rect(image, {rect.right - across, rect.top + down, rect.right, rect.bottom - down}, color);
}

DrawStyle draw_style(int width, int height) noexcept {
  const int side = std::max(width, height);
  // A line of 1/320 and text of 1/50 of the longer side: 2 and 13 pixels at 640, 12 and 80 at 4000.
  return {std::max(1, (side + 160) / 320), std::max(11, side / 50)};
}

PixelRect draw_labeled_box(Image& image, PixelRect box, std::string_view label, Rgb color, DrawStyle style) noexcept {
  draw_rect(image, box, style.thickness, color);
  const int margin = std::max(1, style.text_height / 8);
  const std::string line = shorten(label, style.text_height, image.width - 2 * margin);
  const int width = text_width(line, style.text_height) + 2 * margin, height = style.text_height + 2 * margin;
  if (line.empty() || height > image.height) return {};
  const int left = std::clamp(box.left, 0, image.width - width);
  const int above = box.top - height;
  const int top = std::clamp(above >= 0 ? above : box.top, 0, image.height - height);
  const PixelRect place{left, top, left + width, top + height};
  fill_rect(image, place, color);
  draw_text(image, left + margin, top + margin, line, style.text_height, text_color(color));
  return place;
}

}  // namespace tessera
