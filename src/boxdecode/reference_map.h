#pragma once
// The slow twin's way from model space back to the original image.

#include <tessera/boxdecode.h>

#include "boxdecode/reference_candidates.h"

namespace tessera::boxdecode::reference {

/// Where the photo stands in the model's input (or in its tile), and how large it was.
struct Placement {
  std::int64_t scaled_width, scaled_height, left, top;
  ImageSize original;
};

Placement placement(const Params& p, const Tile& tile, ImageSize original);
float map_x(const Placement& placed, float x);
float map_y(const Placement& placed, float y);

}  // namespace tessera::boxdecode::reference
