#pragma once
// Boxes of combined heads: a grid of cells, several anchors per cell.
// Sources: Redmon and Farhadi 2018 (arXiv:1804.02767, YOLOv3); Bochkovskiy et al. 2020 (arXiv:2004.10934, the scaled
// sigmoid of YOLOv4); Wang et al. 2021 (arXiv:2011.08036, the squared form). Each operation rounds to float once, in
// the written order.

#include "boxdecode/box.h"
#include "boxdecode/families/family.h"
#include "boxdecode/numbers.h"

namespace tessera::boxdecode {

/// raw: x, y, w, h of one slot as stored; col, row: the cell; stride: model pixels per cell.
inline Box decode_anchor_grid(const AnchorGrid& grid, int slot, const float (&raw)[4], float col, float row,
                              float stride) noexcept {
  const float* anchor = grid.anchors[slot];
  if (grid.formula == AnchorLevel::Formula::Exp) {
    const float cx = ((grid.scale * sigmoid(raw[0]) - grid.offset) + col) * stride;
    const float cy = ((grid.scale * sigmoid(raw[1]) - grid.offset) + row) * stride;
    return corners(cx, cy, fexp(raw[2]) * anchor[0], fexp(raw[3]) * anchor[1]);
  }
  float t[4];
  for (int i = 0; i < 4; ++i) t[i] = grid.activated ? raw[i] : sigmoid(raw[i]);
  const float cx = ((2.0f * t[0] - 0.5f) + col) * stride;
  const float cy = ((2.0f * t[1] - 0.5f) + row) * stride;
  const float u = 2.0f * t[2], v = 2.0f * t[3];
  return corners(cx, cy, (u * u) * anchor[0], (v * v) * anchor[1]);
}

}  // namespace tessera::boxdecode
