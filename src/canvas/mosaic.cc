#include "canvas/mosaic.h"

#include "base/text.h"

namespace tessera {
namespace {

template <class T>
Status check(const CanvasSpec& tile, int rows, int cols, std::size_t photos, const CanvasTarget<T>& target) {
  if (rows < 1 || cols < 1 || rows > 65535 / tile.height || cols > 65535 / tile.width) {
    return Error{Code::invalid_argument, text("mosaic: ", rows, "x", cols, " tiles of ", tile.width, "x", tile.height,
                                              " pixels, want at least one and at most 65535 pixels per side")};
  }
  const std::int64_t tiles = std::int64_t{rows} * cols;
  if (static_cast<std::int64_t>(photos) > tiles) {
    return Error{Code::invalid_argument, text("mosaic: ", photos, " photos for ", tiles, " tiles")};
  }
  if (target.pixel_stride < 3 || target.row_stride < target.pixel_stride * tile.width * cols) {
    return Error{Code::invalid_argument, text("mosaic: strides ", target.pixel_stride, " and ", target.row_stride,
                                              ", want at least 3 and the canvas width times the first")};
  }
  return {};
}

template <class T>
Status write_tiles(CanvasWriter& tile, int rows, int cols, std::span<const MosaicPhoto> photos, CanvasTarget<T> target,
                   std::vector<CanvasMap>& maps, ThreadPool* pool) {
  const CanvasSpec& spec = tile.spec();
  TESSERA_TRY(check(spec, rows, cols, photos.size(), target));
  maps.clear();
  for (int t = 0; t < rows * cols; ++t) {
    CanvasTarget<T> part = target;
    part.data += t / cols * spec.height * target.row_stride + t % cols * spec.width * target.pixel_stride;
    if (static_cast<std::size_t>(t) >= photos.size()) {
      tile.fill(part);
      continue;
    }
    const MosaicPhoto& photo = photos[static_cast<std::size_t>(t)];
    const auto map = tile.write(photo.image, part, pool, photo.full);
    if (!map.has_value()) return Error{map.error().code, text("mosaic: tile ", t, ": ", map.error().message)};
    maps.push_back(*map);
  }
  return {};
}

}  // namespace

Status write_mosaic(CanvasWriter& tile, int rows, int cols, std::span<const MosaicPhoto> photos,
                    CanvasTarget<float> target, std::vector<CanvasMap>& maps, ThreadPool* pool) {
  return write_tiles(tile, rows, cols, photos, target, maps, pool);
}

Status write_mosaic(CanvasWriter& tile, int rows, int cols, std::span<const MosaicPhoto> photos,
                    CanvasTarget<std::uint8_t> target, std::vector<CanvasMap>& maps, ThreadPool* pool) {
  return write_tiles(tile, rows, cols, photos, target, maps, pool);
}

}  // namespace tessera
