// Windows bitmaps: 1, 4, 8, 16, 24, 32 bits, bit fields, run lengths, bottom-up and top-down, OS/2 and V3 to V5
// headers. Alpha is ignored, as most programs write nonsense there.
// Source: Microsoft's documentation of BITMAPFILEHEADER, BITMAPINFOHEADER and BITMAPV5HEADER.

#include "image/bmp.h"

#include <bit>
#include <optional>

#include "base/text.h"
#include "image/codec.h"

namespace tessera::image_internal {
namespace {

constexpr std::uint64_t kFileHeaderBytes = 14;
constexpr std::uint32_t kCoreHeaderBytes = 12;  // OS/2 1.x: 16-bit extents, 3-byte palette entries
constexpr std::uint32_t kInfoHeaderBytes = 40;

std::optional<std::uint32_t> u16(Bytes bytes, std::uint64_t offset) { return read_u16(bytes, offset, Endian::little); }
std::optional<std::uint32_t> u32(Bytes bytes, std::uint64_t offset) { return read_u32(bytes, offset, Endian::little); }

Error ends_in_header() { return {Code::corrupt, "bmp: the file ends inside its header"}; }

bool matches(Bytes bytes) { return starts_with(bytes, "BM"); }

bool known_coding(std::uint32_t coding, unsigned bits) {
  switch (static_cast<BmpCoding>(coding)) {
    case BmpCoding::rgb:
      return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
    case BmpCoding::rle8:
      return bits == 8;
    case BmpCoding::rle4:
      return bits == 4;
    case BmpCoding::bit_fields:
    case BmpCoding::alpha_bit_fields:
      return bits == 16 || bits == 32;
  }
  return false;
}

Status read_extents(Bytes bytes, std::uint32_t header_bytes, BmpLayout& layout) {
  const bool core = header_bytes == kCoreHeaderBytes;
  const auto width = core ? u16(bytes, 18) : u32(bytes, 18), height = core ? u16(bytes, 20) : u32(bytes, 22);
  const auto bits = u16(bytes, core ? 24 : 28);
  const auto coding = core ? std::optional<std::uint32_t>(0) : u32(bytes, 30);
  if (!width || !height || !bits || !coding) return ends_in_header();
  layout.width = core ? static_cast<std::int64_t>(*width) : static_cast<std::int32_t>(*width);
  layout.height = core ? static_cast<std::int64_t>(*height) : static_cast<std::int32_t>(*height);
  layout.top_down = layout.height < 0;
  if (layout.top_down) layout.height = -layout.height;
  if (!known_coding(*coding, *bits)) {
    return Error{Code::unsupported, text("bmp: ", *bits, " bits per pixel with compression ", *coding, " is not read")};
  }
  layout.bits = *bits;
  layout.coding = static_cast<BmpCoding>(*coding);
  const bool rle = layout.coding == BmpCoding::rle8 || layout.coding == BmpCoding::rle4;
  if (rle && layout.top_down) return Error{Code::corrupt, "bmp: run lengths in a top-down picture"};
  return {};
}

// The masks follow the 40 bytes of the info header in every version that has them.
Status read_masks(Bytes bytes, BmpLayout& layout) {
  if (layout.coding == BmpCoding::rgb) {
    if (layout.bits == 16) layout.masks = {0x7C00, 0x03E0, 0x001F};
    if (layout.bits == 32) layout.masks = {0xFF0000, 0x00FF00, 0x0000FF};
    return {};
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const auto mask = u32(bytes, kFileHeaderBytes + kInfoHeaderBytes + 4 * c);
    if (!mask) return ends_in_header();
    const std::uint32_t low = *mask >> (*mask == 0 ? 0 : std::countr_zero(*mask));
    if (*mask == 0 || (low & (low + 1)) != 0 || (layout.bits == 16 && *mask > 0xFFFF)) {
      return Error{Code::corrupt, text("bmp: color mask ", *mask, " is not one run of bits inside the pixel")};
    }
    layout.masks[c] = *mask;
  }
  return {};
}

Status read_palette(Bytes bytes, std::uint32_t header_bytes, BmpLayout& layout) {
  const bool core = header_bytes == kCoreHeaderBytes;
  const auto used = core ? std::optional<std::uint32_t>(0) : u32(bytes, 46);
  if (!used) return ends_in_header();
  const std::uint32_t most = std::uint32_t{1} << layout.bits;
  const std::uint32_t count = *used == 0 || *used > most ? most : *used;
  const std::uint64_t entry_bytes = core ? 3 : 4;
  const std::uint64_t begin = kFileHeaderBytes + header_bytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entry = slice(bytes, begin + i * entry_bytes, 3);
    if (!entry || begin + (i + 1) * entry_bytes > layout.raster) break;  // a short palette: its indices are checked
    layout.palette.push_back({byte_at(*entry, 2), byte_at(*entry, 1), byte_at(*entry, 0)});
  }
  return {};
}

Result<BmpLayout> read_layout(Bytes bytes) {
  const auto raster = u32(bytes, 10), header_bytes = u32(bytes, 14);
  if (!raster || !header_bytes) return ends_in_header();
  if (*header_bytes != kCoreHeaderBytes && (*header_bytes < kInfoHeaderBytes || *header_bytes > 124)) {
    return Error{Code::unsupported, text("bmp: header of ", *header_bytes, " bytes, known are 12 and 40 to 124")};
  }
  BmpLayout layout;
  layout.raster = *raster;
  TESSERA_TRY(read_extents(bytes, *header_bytes, layout));
  if (layout.bits > 8) {
    TESSERA_TRY(read_masks(bytes, layout));
  } else {
    TESSERA_TRY(read_palette(bytes, *header_bytes, layout));
  }
  return layout;
}

Result<Header> read_header(Bytes bytes) {
  const auto layout = read_layout(bytes);
  if (!layout.has_value()) return layout.error();
  return Header{layout->width, layout->height, 1};
}

Status put_indices(const std::uint8_t* indices, std::size_t count, const BmpLayout& layout, std::uint8_t* dst) {
  for (std::size_t x = 0; x < count; ++x, dst += 3) {
    if (indices[x] >= layout.palette.size()) {
      return Error{Code::corrupt, text("bmp: a pixel of color ", static_cast<int>(indices[x]), ", the palette has ",
                                       layout.palette.size())};
    }
    const Rgb color = layout.palette[indices[x]];
    dst[0] = color.r;
    dst[1] = color.g;
    dst[2] = color.b;
  }
  return {};
}

/// One color of a masked pixel, spread over 0..255.
std::uint8_t masked(std::uint32_t pixel, std::uint32_t mask) {
  const int shift = std::countr_zero(mask);
  const std::uint64_t most = mask >> shift, value = (pixel & mask) >> shift;
  return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
}

void put_masked(Bytes src, const BmpLayout& layout, std::uint8_t* dst) {
  const unsigned bytes_per_pixel = layout.bits / 8;
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.width); ++i, dst += 3) {
    const std::uint32_t pixel = *read_uint(src, i * bytes_per_pixel, bytes_per_pixel, Endian::little);
    for (std::size_t c = 0; c < 3; ++c) dst[c] = masked(pixel, layout.masks[c]);
  }
}

void put_bgr(const std::uint8_t* src, std::size_t count, std::uint8_t* dst) {
  for (std::size_t x = 0; x < count; ++x, src += 3, dst += 3) {
    dst[0] = src[2];
    dst[1] = src[1];
    dst[2] = src[0];
  }
}

/// Indices of 1, 4 or 8 bits, the leftmost pixel in the highest bits.
void unpack(const std::uint8_t* src, unsigned bits, std::vector<std::uint8_t>& indices) {
  for (std::size_t x = 0; x < indices.size(); ++x) {
    const std::size_t bit = x * bits;
    indices[x] = static_cast<std::uint8_t>(src[bit / 8] >> (8 - bits - bit % 8) & ((1u << bits) - 1));
  }
}

Status decode_rows(Bytes bytes, const BmpLayout& layout, Image& image) {
  std::vector<std::uint8_t> indices(layout.bits <= 8 ? static_cast<std::size_t>(layout.width) : 0);
  const std::uint64_t used = (static_cast<std::uint64_t>(layout.width) * layout.bits + 7) / 8;
  const std::uint64_t stride = (used + 3) / 4 * 4;
  for (int y = 0; y < image.height; ++y) {
    const Bytes src = *slice(bytes, layout.raster + static_cast<std::uint64_t>(y) * stride, used);
    std::uint8_t* dst = image.row(layout.top_down ? y : image.height - 1 - y);
    if (layout.bits == 24) {
      put_bgr(as_u8(src), static_cast<std::size_t>(layout.width), dst);
    } else if (layout.bits > 8) {
      put_masked(src, layout, dst);
    } else {
      unpack(as_u8(src), layout.bits, indices);
      TESSERA_TRY(put_indices(indices.data(), indices.size(), layout, dst));
    }
  }
  return {};
}

/// All rows must be there; the padding after the last one need not.
Status check_length(Bytes bytes, const BmpLayout& layout) {
  const std::uint64_t used = (static_cast<std::uint64_t>(layout.width) * layout.bits + 7) / 8;
  const std::uint64_t need = (used + 3) / 4 * 4 * static_cast<std::uint64_t>(layout.height - 1) + used;
  if (slice(bytes, layout.raster, need)) return {};
  return Error{Code::corrupt, text("bmp: the file ends early: the pixels take ", need, " bytes from byte ",
                                   layout.raster, ", the file has ", bytes.size())};
}

Result<Image> decode(Bytes bytes, const Header& header, const DecodeOptions&) {
  const auto layout = read_layout(bytes);
  if (!layout.has_value()) return layout.error();
  const int width = static_cast<int>(header.width), height = static_cast<int>(header.height);
  if (layout->coding == BmpCoding::rle8 || layout->coding == BmpCoding::rle4) {
    const auto raster = slice(bytes, layout->raster, 0);
    const auto indices = read_bmp_rle(raster ? bytes.subspan(layout->raster) : Bytes{}, *layout);
    if (!indices.has_value()) return indices.error();
    Image image(width, height);
    TESSERA_TRY(put_indices(indices->data(), indices->size(), *layout, image.row(0)));
    return image;
  }
  TESSERA_TRY(check_length(bytes, *layout));
  Image image(width, height);
  TESSERA_TRY(decode_rows(bytes, *layout, image));
  return image;
}

}  // namespace

const Codec kBmpCodec{ImageFormat::bmp, matches, read_header, decode};

}  // namespace tessera::image_internal
