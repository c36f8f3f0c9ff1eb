#pragma once
// The slow twin's geometry: raw values of one place -> box and keypoints in model space (tile space with a mosaic).

#include <tessera/boxdecode.h>

#include <cstddef>

#include "boxdecode/reference_tensor.h"

namespace tessera::boxdecode::reference {

struct Rect {
  float x1, y1, x2, y2;
};

/// A cell as the formulas see it: indices inside the image, and model pixels per cell.
struct Cell {
  float col, row, stride;
};

/// Anchor slots per cell of a head.
std::size_t slots_of(const Params& p, std::size_t head);
/// Combined heads: t points to x, y, w, h of the slot.
Rect combined_box(const Params& p, std::size_t head, std::size_t slot, const Raw* t, const Cell& cell);
/// Pair and objectness heads: t points to the `channels` channels of the box tensor.
Rect separate_box(const Params& p, const Raw* t, std::int64_t channels, const Cell& cell);

struct Point {
  float x, y;
};
Point keypoint(const Params& p, const Raw* t, const Cell& cell);

}  // namespace tessera::boxdecode::reference
