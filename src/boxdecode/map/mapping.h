#pragma once
// From model space (tile space with a mosaic) back to pixels of the original image: the inverse of the resize.

#include <tessera/boxdecode/params.h>

#include <cstdint>

#include "boxdecode/box.h"

namespace tessera::boxdecode {

/// Where the picture lies on the model's canvas.
struct Placed {
  ImageSize scaled;
  std::int32_t pad_left = 0, pad_top = 0;
};

/// Letterbox is computed in integers: the shorter side is rounded half up, at least 1.
Placed place(const Resize& resize, ImageSize model, ImageSize original) noexcept;

/// One axis: v_out = clamp((v - pad) * ratio, 0, extent). The ratio is that of the actual scaled extent, so it inverts
/// the real resize even when rounding made the axes differ.
struct AxisMap {
  float pad = 0, ratio = 1, extent = 0;

  float operator()(float v) const noexcept {
    const float mapped = (v - pad) * ratio;
    return mapped > 0.0f ? (mapped < extent ? mapped : extent) : 0.0f;  // never -0
  }
};

struct Mapping {
  AxisMap x, y;
  Box operator()(const Box& box) const noexcept { return {x(box.x1), y(box.y1), x(box.x2), y(box.y2)}; }
};
Mapping make_mapping(const Resize& resize, ImageSize model, ImageSize original) noexcept;

}  // namespace tessera::boxdecode
