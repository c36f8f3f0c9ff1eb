#include "boxdecode/map/mapping.h"

#include <algorithm>

namespace tessera::boxdecode {
namespace {

// a * b / c rounded half up, at least 1; extents are below 2^21, so 64 bits hold every product.
std::int32_t scaled_extent(std::int64_t a, std::int64_t b, std::int64_t c) noexcept {
  return static_cast<std::int32_t>(std::max<std::int64_t>(1, (2 * a * b + c) / (2 * c)));
}

Placed letterbox(ImageSize model, ImageSize original, Resize::Anchor anchor) noexcept {
  const std::int64_t mw = model.width, mh = model.height, ow = original.width, oh = original.height;
  Placed placed;
  if (mw * oh <= mh * ow) {
    placed.scaled = {model.width, scaled_extent(oh, mw, ow)};
  } else {
    placed.scaled = {scaled_extent(ow, mh, oh), model.height};
  }
  if (anchor == Resize::Anchor::Center) {
    placed.pad_left = (model.width - placed.scaled.width) / 2;
    placed.pad_top = (model.height - placed.scaled.height) / 2;
  }
  return placed;
}

AxisMap axis(std::int32_t pad, std::int32_t scaled, std::int32_t original) noexcept {
  return {static_cast<float>(pad), static_cast<float>(static_cast<double>(original) / static_cast<double>(scaled)),
          static_cast<float>(original)};
}

}  // namespace

Placed place(const Resize& resize, ImageSize model, ImageSize original) noexcept {
  switch (resize.mode) {
    case Resize::Mode::Letterbox:
      return letterbox(model, original, resize.anchor);
    case Resize::Mode::Explicit:
      return {resize.scaled, resize.pad_left, resize.pad_top};
    case Resize::Mode::Stretch:
      break;
  }
  return {model, 0, 0};
}

Mapping make_mapping(const Resize& resize, ImageSize model, ImageSize original) noexcept {
  const Placed placed = place(resize, model, original);
  return {axis(placed.pad_left, placed.scaled.width, original.width),
          axis(placed.pad_top, placed.scaled.height, original.height)};
}

}  // namespace tessera::boxdecode
