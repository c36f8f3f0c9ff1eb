#pragma once
// First half of the slow twin: tensors -> every admitted candidate of one image, in encounter order.

#include <vector>

#include "boxdecode/reference_families.h"

namespace tessera::boxdecode::reference {

/// A request with its tensors, by port.
struct Inputs {
  const Params& p;
  std::vector<Logical> tensors;
  const Logical& of(std::int32_t port) const { return tensors[static_cast<std::size_t>(port)]; }
};

struct Tile {
  std::int32_t row, col, width, height;  // place in the mosaic, extents in model pixels
};

struct Found {
  float score;
  Rect box;
  std::int32_t class_id;
  std::size_t head, slot;
  std::int64_t y, x;  // cell of the tensor
};

/// Model pixels per cell.
float stride_of(const Inputs& in, std::size_t head);

/// All candidates of one image; heads in head order.
std::vector<Found> find_candidates(const Inputs& in, const Tile& tile);

}  // namespace tessera::boxdecode::reference
