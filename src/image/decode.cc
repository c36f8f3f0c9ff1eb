// The table of formats, the limits, and the steps every format shares.

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/text.h"
#include "image/codec.h"
#include "image/exif.h"
#include "image/image.h"

namespace tessera {
namespace {

using image_internal::Codec;
using image_internal::Header;

constexpr const Codec* kCodecs[] = {&image_internal::kBmpCodec, &image_internal::kJpegCodec, &image_internal::kPngCodec,
                                    &image_internal::kPnmCodec, &image_internal::kWebpCodec};  // sorted by name

Result<const Codec*> find_codec(std::span<const std::byte> bytes) {
  for (const Codec* codec : kCodecs) {
    if (codec->matches(bytes)) return codec;
  }
  if (bytes.empty()) return Error{Code::corrupt, "image: the file is empty"};
  std::string known;
  for (const Codec* codec : kCodecs) known += text(known.empty() ? "" : ", ", to_string(codec->format));
  return Error{Code::unsupported, text("image: the first bytes are of no known format; readable are ", known)};
}

Status check_size(const Codec& codec, const Header& header, const DecodeLimits& limits) {
  const char* name = to_string(codec.format);
  const auto extent = [&] { return text(name, ": picture of ", header.width, "x", header.height, " pixels"); };
  if (header.width < 1 || header.height < 1) return Error{Code::corrupt, text(extent(), ", want at least 1x1")};
  if (std::max(header.width, header.height) > limits.max_side) {
    return Error{Code::limit_exceeded, text(extent(), ", the limit is ", limits.max_side, " per side")};
  }
  const auto pixels = checked_mul(header.width, header.height);
  if (!pixels || *pixels > limits.max_pixels) {
    return Error{Code::limit_exceeded, text(extent(), ", the limit is ", limits.max_pixels, " pixels in all")};
  }
  return {};
}

struct Opened {
  const Codec* codec = nullptr;
  Header header;
};

Result<Opened> open(std::span<const std::byte> bytes, const DecodeOptions& options) {
  if (static_cast<std::uint64_t>(bytes.size()) > static_cast<std::uint64_t>(options.limits.max_file_bytes)) {
    return Error{Code::limit_exceeded,
                 text("image: file of ", bytes.size(), " bytes, the limit is ", options.limits.max_file_bytes)};
  }
  auto codec = find_codec(bytes);
  if (!codec.has_value()) return codec.error();
  auto header = (*codec)->read_header(bytes);
  if (!header.has_value()) return header.error();
  TESSERA_TRY(check_size(**codec, *header, options.limits));
  if (!options.apply_orientation) header->orientation = 1;
  return Opened{*codec, *header};
}

}  // namespace

const char* to_string(ImageFormat format) noexcept {
  switch (format) {
    case ImageFormat::bmp:
      return "bmp";
    case ImageFormat::jpeg:
      return "jpeg";
    case ImageFormat::png:
      return "png";
    case ImageFormat::pnm:
      return "pnm";
    case ImageFormat::webp:
      return "webp";
  }
  return "?";
}

Image::Image(int w, int h, Rgb color) : width(w), height(h), full_width(w), full_height(h) {
  pixels.assign(row_bytes() * static_cast<std::size_t>(h), color.r);
  if (color.r == color.g && color.g == color.b) return;  // a decoder's buffer: one memset, no loop
  for (std::size_t i = 0; i < pixels.size(); i += 3) {
    pixels[i + 1] = color.g;
    pixels[i + 2] = color.b;
  }
}

Result<ImageInfo> probe_image(std::span<const std::byte> bytes, const DecodeOptions& options) {
  auto opened = open(bytes, options);
  if (!opened.has_value()) return opened.error();
  const Header& header = opened->header;
  ImageInfo info{opened->codec->format, static_cast<int>(header.width), static_cast<int>(header.height),
                 header.orientation};
  if (image_internal::swaps_axes(header.orientation)) std::swap(info.width, info.height);
  return info;
}

namespace {

Result<Image> decode_opened(std::span<const std::byte> bytes, const Opened& opened, const DecodeOptions& options) {
  const int orientation = opened.header.orientation;
  DecodeOptions as_stored = options;
  if (image_internal::swaps_axes(orientation)) std::swap(as_stored.min_width, as_stored.min_height);
  auto image = opened.codec->decode(bytes, opened.header, as_stored);
  if (!image.has_value()) return image.error();
  return image_internal::turn_upright(std::move(*image), orientation);
}

}  // namespace

Result<Image> decode_image(std::span<const std::byte> bytes, const DecodeOptions& options) {
  auto opened = open(bytes, options);
  if (!opened.has_value()) return opened.error();
  try {
    return decode_opened(bytes, *opened, options);
  } catch (const std::bad_alloc&) {  // inside the limits, and still more than this machine has
    return Error{Code::limit_exceeded, text(to_string(opened->codec->format), ": not enough memory for ",
                                            opened->header.width, "x", opened->header.height, " pixels")};
  }
}

}  // namespace tessera
