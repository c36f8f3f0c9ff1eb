#pragma once
// Where the elements of one input lie: dense memory with strides, or channel tiles of 16-lane stripes.

#include <tessera/boxdecode/params.h>
#include <tessera/tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera::boxdecode {

/// The cells of one image: rows [y, y + h), columns [x, x + w) of the head. Without a mosaic, all of them.
struct Window {
  std::int32_t y = 0, x = 0, h = 0, w = 0;
};

/// address(y, x, c) = y * row + x * pixel + c * element.
struct DenseAddress {
  std::int64_t row = 0, pixel = 0, element = 0;
};

/// A window in dense memory as lines of adjacent pixels: one line where rows follow each other without a gap.
struct DenseLines {
  std::int32_t count, cells;

  DenseLines(const DenseAddress& address, const Window& window) noexcept : count(window.h), cells(window.w) {
    if (address.row != window.w * address.pixel) return;
    count = 1;
    cells = window.h * window.w;
  }
};

inline constexpr std::int64_t kLanes = 16;
inline constexpr std::int64_t round_up_to_lanes(std::int64_t n) { return (n + kLanes - 1) / kLanes * kLanes; }

/// A channel of a blocked tensor: which lane of which stripe, and where its channel tile begins.
struct ChannelPlace {
  std::int64_t tile_offset = 0;  ///< bytes before the channel tile
  std::int64_t lanes = 0;        ///< stored lanes of the channel tile: a multiple of 16
  std::int64_t stripe = 0;
  int lane = 0;
};

/// Storage order, outermost first: channel tile, row of spatial tiles, spatial tile, stripe, pixel row, pixel column,
/// then 16 lanes: bytes, or 16 low bytes followed by 16 high bytes. Spatial tiles at the edges have their true size;
/// a channel tile is padded to whole stripes. Everything lies without gaps.
struct BlockedAddress {
  std::int64_t h = 0, w = 0, c = 0, element = 0;
  std::int64_t tile_h = 0, tile_w = 0, tile_c = 0;  ///< at most the tensor's extents

  std::int64_t group_bytes() const noexcept { return kLanes * element; }
  std::int64_t channel_tiles() const noexcept { return (c + tile_c - 1) / tile_c; }
  /// Channels with meaning in a channel tile.
  std::int64_t tile_channels(std::int64_t tile) const noexcept { return std::min(tile_c, c - tile * tile_c); }
  /// Every stripe has 16 active lanes.
  bool full() const noexcept { return c % kLanes == 0 && tile_c % kLanes == 0; }

  ChannelPlace place(std::int64_t channel) const noexcept {
    const std::int64_t tile = channel / tile_c, within = channel - tile * tile_c;
    return {element * h * w * tile * round_up_to_lanes(tile_c), round_up_to_lanes(tile_channels(tile)), within / kLanes,
            static_cast<int>(within % kLanes)};
  }
  /// Byte offset of the 16 lanes of a pixel. The next pixels of its row, up to the end of the spatial tile, follow
  /// group_bytes() apart.
  std::int64_t group(const ChannelPlace& at, std::int64_t y, std::int64_t x) const noexcept {
    const std::int64_t h0 = y / tile_h * tile_h, w0 = x / tile_w * tile_w;
    const std::int64_t th = std::min(tile_h, h - h0), tw = std::min(tile_w, w - w0);
    return at.tile_offset + element * at.lanes * (w * h0 + th * w0) +
           group_bytes() * (th * tw * at.stripe + (y - h0) * tw + (x - w0));
  }
  /// All bytes; the caller has checked that they fit in 64 bits.
  std::int64_t bytes() const noexcept {
    const std::int64_t tiles = channel_tiles();
    return element * h * w * ((tiles - 1) * round_up_to_lanes(tile_c) + round_up_to_lanes(tile_channels(tiles - 1)));
  }
};

/// One input of a head, ready to be addressed.
struct InputPlan {
  std::int32_t port = -1;
  DType dtype = DType::BFloat16;
  Quant quant;
  std::int64_t channels = 0;
  bool blocked = false;
  DenseAddress dense;    ///< !blocked
  BlockedAddress tiles;  ///< blocked

  bool bound() const noexcept { return port >= 0; }
};

/// Adjacent groups of one stripe: pixels of one spatial tile, one after another, row by row where the window has whole
/// rows of the tile.
struct GroupRun {
  std::int64_t before;       ///< pixels stored before the tile: those of earlier tiles
  std::int64_t tile_pixels;  ///< of the tile
  std::int64_t within;       ///< the first pixel's place in the tile
  std::int64_t y, x;         ///< the first row's first pixel inside the window
  std::int32_t width;        ///< pixels per row
  std::int32_t start;        ///< of the run's first pixel, counted from (y, x)
  std::int32_t count;
  std::int64_t index;  ///< pixels of the window that earlier runs had: a dense numbering of the window

  struct Pixel {
    std::int64_t y, x;
  };
  Pixel pixel(std::int32_t i) const noexcept { return {y + (start + i) / width, x + (start + i) % width}; }
};

/// Byte offset of a run's first group in the stripe of `at`.
inline std::int64_t group_of(const BlockedAddress& tiles, const ChannelPlace& at, const GroupRun& run) noexcept {
  return at.tile_offset + tiles.element * at.lanes * run.before +
         tiles.group_bytes() * (run.tile_pixels * at.stripe + run.within);
}

/// Visits a window in storage order, in runs of at most `most` pixels: visit(run). Every pixel once; not in the order
/// of rows, which ordinals restore.
template <class Visit>
void for_each_group_run(const BlockedAddress& tiles, const Window& window, std::int32_t most, Visit&& visit) {
  const std::int64_t bottom = window.y + window.h, right = window.x + window.w;
  std::int64_t index = 0;
  for (std::int64_t h0 = window.y / tiles.tile_h * tiles.tile_h; h0 < bottom; h0 += tiles.tile_h) {
    const std::int64_t th = std::min(tiles.tile_h, tiles.h - h0);
    const std::int64_t y0 = std::max<std::int64_t>(h0, window.y), y1 = std::min(h0 + th, bottom);
    for (std::int64_t w0 = window.x / tiles.tile_w * tiles.tile_w; w0 < right; w0 += tiles.tile_w) {
      const std::int64_t tw = std::min(tiles.tile_w, tiles.w - w0);
      const std::int64_t x0 = std::max<std::int64_t>(w0, window.x), x1 = std::min(w0 + tw, right);
      const std::int64_t rows = x1 - x0 == tw ? y1 - y0 : 1;
      for (std::int64_t y = y0; y < y1; y += rows) {
        const std::int64_t pixels = rows * (x1 - x0), within = (y - h0) * tw + (x0 - w0);
        for (std::int64_t start = 0; start < pixels; start += most) {
          const auto count = static_cast<std::int32_t>(std::min<std::int64_t>(most, pixels - start));
          visit(GroupRun{tiles.w * h0 + th * w0, th * tw, within + start, y, x0, static_cast<std::int32_t>(x1 - x0),
                         static_cast<std::int32_t>(start), count, index});
          index += count;
        }
      }
    }
  }
}

/// `most` of a visit that takes runs as they come.
inline constexpr std::int32_t kWholeRuns = 1 << 30;

}  // namespace tessera::boxdecode
