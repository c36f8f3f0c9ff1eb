#include "boxdecode/reference_map.h"

#include <algorithm>

namespace tessera::boxdecode::reference {
namespace {

float map_axis(float v, std::int64_t pad, std::int64_t scaled, std::int64_t original) {
  const auto ratio = static_cast<float>(static_cast<double>(original) / static_cast<double>(scaled));
  float out = (v - static_cast<float>(pad)) * ratio;
  if (out > static_cast<float>(original)) out = static_cast<float>(original);
  if (out <= 0.0f) out = 0.0f;
  return out;
}

}  // namespace

Placement placement(const Params& p, const Tile& tile, ImageSize original) {
  const std::int64_t mw = tile.width, mh = tile.height, ow = original.width, oh = original.height;
  if (p.resize.mode == Resize::Mode::Stretch) return {mw, mh, 0, 0, original};
  if (p.resize.mode == Resize::Mode::Explicit) {
    return {p.resize.scaled.width, p.resize.scaled.height, p.resize.pad_left, p.resize.pad_top, original};
  }
  Placement placed{mw, mh, 0, 0, original};
  if (mw * oh <= mh * ow) {
    placed.scaled_height = std::max<std::int64_t>(1, (2 * oh * mw + ow) / (2 * ow));
  } else {
    placed.scaled_width = std::max<std::int64_t>(1, (2 * ow * mh + oh) / (2 * oh));
  }
  if (p.resize.anchor == Resize::Anchor::Center) {
    placed.left = (mw - placed.scaled_width) / 2;
    placed.top = (mh - placed.scaled_height) / 2;
  }
  return placed;
}

float map_x(const Placement& placed, float x) {
  return map_axis(x, placed.left, placed.scaled_width, placed.original.width);
}
float map_y(const Placement& placed, float y) {
  return map_axis(y, placed.top, placed.scaled_height, placed.original.height);
}

}  // namespace tessera::boxdecode::reference
