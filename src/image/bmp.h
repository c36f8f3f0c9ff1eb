#pragma once
// The parts of a Windows bitmap: bmp.cc reads the headers and plain rows, bmp_rle.cc the run-length coded ones.

#include <array>
#include <cstdint>
#include <vector>

#include "image/bytes.h"
#include "image/image.h"

namespace tessera::image_internal {

enum class BmpCoding : std::uint32_t { rgb = 0, rle8 = 1, rle4 = 2, bit_fields = 3, alpha_bit_fields = 6 };

struct BmpLayout {
  std::int64_t width = 0, height = 0;
  bool top_down = false;
  unsigned bits = 0;  ///< per pixel: 1, 4, 8 (palette), 16, 24, 32
  BmpCoding coding = BmpCoding::rgb;
  std::uint64_t raster = 0;              ///< where the pixels begin
  std::array<std::uint32_t, 3> masks{};  ///< of red, green, blue; 16 and 32 bits
  std::vector<Rgb> palette;
};

/// Palette indices of a run-length coded raster, width * height, first row at the top. Pixels that the code skips are
/// index 0. corrupt when a run leaves the picture or the bytes end before it does.
Result<std::vector<std::uint8_t>> read_bmp_rle(Bytes raster, const BmpLayout& layout);

}  // namespace tessera::image_internal
