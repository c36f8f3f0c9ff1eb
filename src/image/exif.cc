#include "image/exif.h"

#include <algorithm>
#include <utility>

namespace tessera::image_internal {
namespace {

constexpr std::uint32_t kOrientationTag = 0x0112;
constexpr std::uint32_t kShortType = 3;
constexpr std::uint32_t kEntryBytes = 12;

// Where stored pixel (x, y) goes, as steps in bytes of the upright picture.
struct Walk {
  std::int64_t start, per_x, per_y;
};

Walk walk(int orientation, std::int64_t stored_w, std::int64_t stored_h) {
  const std::int64_t w = swaps_axes(orientation) ? stored_h : stored_w;  // upright
  const std::int64_t h = swaps_axes(orientation) ? stored_w : stored_h;
  switch (orientation) {
    case 2:
      return {w - 1, -1, w};
    case 3:
      return {h * w - 1, -1, -w};
    case 4:
      return {(h - 1) * w, 1, -w};
    case 5:
      return {0, w, 1};
    case 6:
      return {w - 1, w, -1};
    case 7:
      return {h * w - 1, -w, -1};
    case 8:
      return {(h - 1) * w, -w, 1};
    default:
      return {0, 1, w};
  }
}

}  // namespace

int exif_orientation(Bytes block) noexcept {
  using namespace std::string_view_literals;
  if (starts_with(block, "Exif\0\0"sv)) block = block.subspan(6);
  const bool little = starts_with(block, "II"), big = starts_with(block, "MM");
  if (!little && !big) return 1;
  const Endian endian = big ? Endian::big : Endian::little;
  if (read_u16(block, 2, endian) != 42u) return 1;
  const auto directory = read_u32(block, 4, endian);
  if (!directory) return 1;
  const auto entries = read_u16(block, *directory, endian);
  if (!entries) return 1;
  for (std::uint64_t i = 0; i < *entries; ++i) {
    const std::uint64_t entry = std::uint64_t{*directory} + 2 + i * kEntryBytes;
    const auto tag = read_u16(block, entry, endian);
    if (!tag) return 1;
    if (*tag != kOrientationTag) continue;
    const auto value = read_u16(block, entry + 8, endian);
    const bool sane = read_u16(block, entry + 2, endian) == kShortType && value && *value >= 1 && *value <= 8;
    return sane ? static_cast<int>(*value) : 1;
  }
  return 1;
}

Image turn_upright(Image stored, int orientation) {
  if (orientation <= 1 || orientation > 8) return stored;
  Image upright;
  upright.width = stored.width;
  upright.height = stored.height;
  upright.full_width = stored.full_width;
  upright.full_height = stored.full_height;
  if (swaps_axes(orientation)) {
    std::swap(upright.width, upright.height);
    std::swap(upright.full_width, upright.full_height);
  }
  upright.pixels.resize(stored.pixels.size());
  const Walk to = walk(orientation, stored.width, stored.height);
  // Squares of 32 x 32 pixels: a transposed write touches 32 cache lines at a time instead of one per pixel.
  constexpr int kSquare = 32;
  for (int y0 = 0; y0 < stored.height; y0 += kSquare) {
    for (int x0 = 0; x0 < stored.width; x0 += kSquare) {
      const int x1 = std::min(x0 + kSquare, stored.width);
      for (int y = y0; y < std::min(y0 + kSquare, stored.height); ++y) {
        const std::uint8_t* src = stored.row(y) + x0 * 3;
        std::uint8_t* dst = upright.pixels.data() + 3 * (to.start + x0 * to.per_x + y * to.per_y);
        for (int x = x0; x < x1; ++x, src += 3, dst += 3 * to.per_x) {
          dst[0] = src[0];
          dst[1] = src[1];
          dst[2] = src[2];
        }
      }
    }
  }
  return upright;
}

}  // namespace tessera::image_internal
