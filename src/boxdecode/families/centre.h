#pragma once
// YOLOX boxes: centre as an offset from the cell's corner, logarithms of the extents, all in cells.
// Source: Ge et al. 2021 (arXiv:2107.08430). Each operation rounds to float once, in the written order.

#include "boxdecode/box.h"
#include "boxdecode/numbers.h"

namespace tessera::boxdecode {

/// raw: x, y, w, h as stored. No half-cell offset, no activation on x and y.
inline Box decode_centre(const float (&raw)[4], float col, float row, float stride) noexcept {
  return corners((raw[0] + col) * stride, (raw[1] + row) * stride, fexp(raw[2]) * stride, fexp(raw[3]) * stride);
}

}  // namespace tessera::boxdecode
