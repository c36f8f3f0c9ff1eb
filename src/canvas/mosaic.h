#pragma once
// Several photos on one canvas: rows x cols equal tiles, each a canvas of its own. Tile t is row t / cols, column
// t mod cols, as BoxDecode numbers them (docs/boxdecode.md, "Mosaic").

#include <span>
#include <vector>

#include "canvas/canvas.h"

namespace tessera {

/// A photo for one tile and its size before a scaled decode ({0, 0}: the view's own).
struct MosaicPhoto {
  ImageView image;
  std::array<int, 2> full{0, 0};
};

/// Writes photo t into tile t of a canvas of rows x cols tiles of tile.spec().width x height pixels, and the border's
/// value into tiles that are left over. Allocates nothing once photos of these sizes have been seen.
///
/// tile    writer of a single tile; its spec holds for all of them.
/// target  the whole canvas: rows * height lines of cols * width pixels.
/// maps    becomes one map per photo, from tile pixels to photo pixels.
/// Errors  invalid_argument: no rows or columns, more photos than tiles, an empty photo, strides too small.
Status write_mosaic(CanvasWriter& tile, int rows, int cols, std::span<const MosaicPhoto> photos,
                    CanvasTarget<float> target, std::vector<CanvasMap>& maps, ThreadPool* pool = nullptr);
Status write_mosaic(CanvasWriter& tile, int rows, int cols, std::span<const MosaicPhoto> photos,
                    CanvasTarget<std::uint8_t> target, std::vector<CanvasMap>& maps, ThreadPool* pool = nullptr);

}  // namespace tessera
