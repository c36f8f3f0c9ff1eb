#pragma once
// One picture format: how it is recognised, what its header says, how its pixels are read. decode.cc lists them.

#include <tessera/result.h>

#include <cstdint>

#include "image/bytes.h"
#include "image/image.h"

namespace tessera::image_internal {

/// What a header declares, before any turning. Not yet held against the limits.
struct Header {
  std::int64_t width = 0, height = 0;
  int orientation = 1;  ///< EXIF 1..8
};

struct Codec {
  ImageFormat format;
  bool (*matches)(Bytes bytes);  ///< by the first bytes
  Result<Header> (*read_header)(Bytes bytes);
  /// Called with the header that read_header gave for these bytes, inside the limits. Returns pixels as stored, not
  /// turned; options.min_width and min_height refer to that orientation.
  Result<Image> (*decode)(Bytes bytes, const Header& header, const DecodeOptions& options);
};

extern const Codec kBmpCodec, kJpegCodec, kPngCodec, kPnmCodec, kWebpCodec;

/// The picture's color over an opaque background: round(c * a + b * (1 - a)), a in [0, 255].
inline std::uint8_t over(unsigned color, unsigned alpha, unsigned background) noexcept {
  return static_cast<std::uint8_t>((color * alpha + background * (255 - alpha) + 127) / 255);
}

/// dst[0..3 * pixels) from RGBA over a background.
inline void blend_row(const std::uint8_t* rgba, std::uint8_t* dst, int pixels, Rgb background) noexcept {
  for (int x = 0; x < pixels; ++x, rgba += 4, dst += 3) {
    dst[0] = over(rgba[0], rgba[3], background.r);
    dst[1] = over(rgba[1], rgba[3], background.g);
    dst[2] = over(rgba[2], rgba[3], background.b);
  }
}

}  // namespace tessera::image_internal
