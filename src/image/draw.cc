#include "image/draw.h"

#include <algorithm>

namespace tessera {

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

}  // namespace tessera
