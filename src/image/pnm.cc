// PNM: P2 and P5 (grey), P3 and P6 (color), with 1 to 16 bits per sample. Source: netpbm's pgm(5) and ppm(5).

#include <optional>

#include "base/text.h"
#include "image/codec.h"

namespace tessera::image_internal {
namespace {

bool is_space(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Words of the header, and of the raster of P2 and P3: white space and comments (# to the end of line) between them.
class Words {
 public:
  Words(Bytes bytes, std::size_t offset) : bytes_(bytes), offset_(offset) {}

  /// The next decimal number; nullopt at the end, at another character, or above 2^31 - 1.
  std::optional<std::int64_t> number() {
    skip();
    std::int64_t value = 0;
    const std::size_t begin = offset_;
    for (; offset_ < bytes_.size() && digit(); ++offset_) {
      value = value * 10 + (byte_at(bytes_, offset_) - '0');
      if (value > 0x7FFFFFFF) return std::nullopt;
    }
    if (offset_ == begin) return std::nullopt;
    return value;
  }
  bool at_end() {
    skip();
    return offset_ >= bytes_.size();
  }
  std::size_t offset() const { return offset_; }

 private:
  bool digit() const { return byte_at(bytes_, offset_) >= '0' && byte_at(bytes_, offset_) <= '9'; }
  void skip() {
    for (; offset_ < bytes_.size(); ++offset_) {
      const std::uint8_t c = byte_at(bytes_, offset_);
      if (c == '#') {
        while (offset_ < bytes_.size() && byte_at(bytes_, offset_) != '\n' && byte_at(bytes_, offset_) != '\r')
          ++offset_;
        if (offset_ >= bytes_.size()) return;
      } else if (!is_space(c)) {
        return;
      }
    }
  }

  Bytes bytes_;
  std::size_t offset_;
};

struct Layout {
  std::int64_t width = 0, height = 0;
  std::uint32_t max_value = 0;
  int channels = 0;
  bool plain = false;      ///< decimal words instead of bytes
  std::size_t raster = 0;  ///< where the samples begin
  std::size_t sample_bytes() const { return max_value > 255 ? 2 : 1; }
};

bool matches(Bytes bytes) {
  return bytes.size() >= 3 && byte_at(bytes, 0) == 'P' && byte_at(bytes, 1) >= '1' && byte_at(bytes, 1) <= '7' &&
         (is_space(byte_at(bytes, 2)) || byte_at(bytes, 2) == '#');
}

Result<Layout> read_layout(Bytes bytes) {
  const char kind = static_cast<char>(byte_at(bytes, 1));
  if (kind == '1' || kind == '4' || kind == '7') {
    return Error{Code::unsupported, text("pnm: kind P", kind, " is not read, want P2, P3, P5 or P6")};
  }
  Words words(bytes, 2);
  const auto width = words.number(), height = words.number(), max_value = words.number();
  if (!width || !height || !max_value) {
    return Error{Code::corrupt, "pnm: the header is not width, height and largest value"};
  }
  if (*max_value < 1 || *max_value > 65535) {
    return Error{Code::corrupt, text("pnm: largest value ", *max_value, ", want 1 to 65535")};
  }
  return Layout{*width,
                *height,
                static_cast<std::uint32_t>(*max_value),
                kind == '3' || kind == '6' ? 3 : 1,
                kind == '2' || kind == '3',
                words.offset() + 1};  // one white space, then the raster
}

Result<Header> read_header(Bytes bytes) {
  const auto layout = read_layout(bytes);
  if (!layout.has_value()) return layout.error();
  return Header{layout->width, layout->height, 1};
}

Error too_large(std::int64_t value, const Layout& layout) {
  return {Code::corrupt, text("pnm: a sample of ", value, ", above the header's largest value ", layout.max_value)};
}

std::uint8_t to_8_bits(std::uint32_t value, const Layout& layout) {
  return static_cast<std::uint8_t>((value * 255u + layout.max_value / 2) / layout.max_value);
}

Status read_plain(Bytes bytes, const Layout& layout, std::span<std::uint8_t> samples) {
  Words words(bytes, layout.raster - 1);
  for (std::uint8_t& sample : samples) {
    const auto value = words.number();
    if (!value && words.at_end()) return Error{Code::corrupt, "pnm: the file ends early: samples are missing"};
    if (!value) return Error{Code::corrupt, "pnm: the raster holds something that is not a number"};
    if (*value > layout.max_value) return too_large(*value, layout);
    sample = to_8_bits(static_cast<std::uint32_t>(*value), layout);
  }
  return {};
}

Status read_raw(Bytes raster, const Layout& layout, std::span<std::uint8_t> samples) {
  const auto* src = as_u8(raster);
  for (std::uint8_t& sample : samples) {
    std::uint32_t value = *src++;
    if (layout.sample_bytes() == 2) value = value << 8 | *src++;
    if (value > layout.max_value) return too_large(value, layout);
    sample = to_8_bits(value, layout);
  }
  return {};
}

void grey_to_rgb(const std::vector<std::uint8_t>& grey, std::vector<std::uint8_t>& rgb) {
  for (std::size_t i = 0; i < grey.size(); ++i) rgb[3 * i] = rgb[3 * i + 1] = rgb[3 * i + 2] = grey[i];
}

Result<Image> decode(Bytes bytes, const Header& header, const DecodeOptions&) {
  const auto layout = read_layout(bytes);
  if (!layout.has_value()) return layout.error();
  // The caller has bounded width * height, so these products are small.
  const auto count = static_cast<std::size_t>(layout->width * layout->height * layout->channels);
  // A decimal sample takes a digit and, but for the last, a separator.
  const std::size_t least_bytes = layout->plain ? 2 * count - 1 : count * layout->sample_bytes();
  const auto raster = slice(bytes, layout->raster, least_bytes);
  if (!raster) {
    return Error{Code::corrupt, text("pnm: the file ends early: ", layout->width, "x", layout->height,
                                     " pixels cannot be held in ", bytes.size(), " bytes")};
  }
  Image image(static_cast<int>(header.width), static_cast<int>(header.height));
  std::vector<std::uint8_t> grey(layout->channels == 1 ? count : 0);
  std::vector<std::uint8_t>& samples = layout->channels == 1 ? grey : image.pixels;
  TESSERA_TRY(layout->plain ? read_plain(bytes, *layout, samples) : read_raw(*raster, *layout, samples));
  if (layout->channels == 1) grey_to_rgb(grey, image.pixels);
  return image;
}

}  // namespace

const Codec kPnmCodec{ImageFormat::pnm, matches, read_header, decode};

}  // namespace tessera::image_internal
