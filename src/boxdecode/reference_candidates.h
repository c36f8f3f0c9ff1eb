#pragma once
// First half of the slow twin: tensors -> every admitted candidate of one image, in encounter order.

#include <tessera/boxdecode.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::boxdecode::reference {

/// One element of a tensor: its number, and its rank among raw values.
struct Raw {
  float value;
  int group;          // -1: NaN with sign, 0: number, 1: NaN without sign
  std::int64_t bits;  // orders NaNs of one group
};

/// A tensor without its layout.
struct Logical {
  std::int64_t h = 0, w = 0, c = 0;
  std::vector<Raw> raws;
  const Raw& at(std::int64_t y, std::int64_t x, std::int64_t channel) const {
    return raws[static_cast<std::size_t>((y * w + x) * c + channel)];
  }
};

Logical expand(const TensorSpec& spec, std::span<const std::byte> bytes);

struct Rect {
  float x1, y1, x2, y2;
};

struct Found {
  float score;
  Rect box;
  std::int32_t class_id;
};

struct Tile {
  std::int32_t row, col, width, height;  // place in the mosaic, extents in model pixels
};

/// All candidates of one image; heads in head order.
std::vector<Found> find_candidates(const Params& p, const Tile& tile, const std::vector<Logical>& heads);

}  // namespace tessera::boxdecode::reference
