#pragma once
// What must hold of any bytes given to the image decoder. One target per format, so that each has its own corpus.

#include <cstdint>
#include <cstdlib>

#include "image/image.h"

namespace tessera {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void check_decode(std::span<const std::byte> bytes, const DecodeOptions& options) {
  const auto info = probe_image(bytes, options);
  const auto image = decode_image(bytes, options);
  if (!image.has_value()) {
    require(!image.error().message.empty());
    return;
  }
  require(info.has_value());  // what can be decoded can be probed
  require(image->full_width == info->width && image->full_height == info->height);
  require(image->width >= 1 && image->height >= 1);
  require(image->pixels.size() == image->row_bytes() * static_cast<std::size_t>(image->height));
  const bool scaled = options.min_width > 0 && options.min_height > 0;
  require(scaled || (image->width == info->width && image->height == info->height));
  require(info->width * std::int64_t{info->height} <= options.limits.max_pixels);
}

inline int fuzz_format(ImageFormat format, const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  DecodeOptions options;
  options.limits.max_pixels = 1 << 18;  // keeps one run short
  const auto info = probe_image(bytes, options);
  if (info.has_value() && info->format != format) return 0;  // another target's work
  check_decode(bytes, options);
  if (format != ImageFormat::jpeg) return 0;
  options.accept_truncated = true;
  options.min_width = options.min_height = 20;
  check_decode(bytes, options);
  return 0;
}

}  // namespace tessera
