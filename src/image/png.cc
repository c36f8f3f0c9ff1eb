// PNG through libspng: every color type and bit depth, interlaced or not. Gamma and color profiles are ignored, as
// detectors' training pipelines do.

#include <spng.h>

#include <cstring>
#include <memory>
#include <vector>

#include "base/text.h"
#include "image/codec.h"
#include "image/exif.h"

namespace tessera::image_internal {
namespace {

// Text, profile and EXIF chunks larger than this are refused: a photo's are kilobytes.
constexpr std::size_t kMaxChunkBytes = std::size_t{64} << 20;

struct Free {
  void operator()(spng_ctx* context) const noexcept { spng_ctx_free(context); }
};
using Context = std::unique_ptr<spng_ctx, Free>;

Error failed(int code) {
  const bool ended = code == SPNG_IO_EOF || code == SPNG_EOF || code == SPNG_EIDAT_TOO_SHORT;
  return {Code::corrupt, text("png: ", ended ? "the file ends early: " : "", spng_strerror(code))};
}

Result<Context> open(Bytes bytes, spng_ihdr& ihdr) {
  Context context(spng_ctx_new(0));
  if (!context) return Error{Code::limit_exceeded, "png: out of memory"};
  spng_set_image_limits(context.get(), 0x7FFFFFFF, 0x7FFFFFFF);  // ours are checked by the caller
  spng_set_chunk_limits(context.get(), kMaxChunkBytes, kMaxChunkBytes);
  int code = spng_set_png_buffer(context.get(), bytes.data(), bytes.size());
  if (code == 0) code = spng_get_ihdr(context.get(), &ihdr);
  if (code != 0) return failed(code);
  return context;
}

bool matches(Bytes bytes) { return starts_with(bytes, "\x89PNG\r\n\x1A\n"); }

// eXIf normally stands before the pixels; one that comes after them is found only by reading everything, which a
// header probe does not do, so it is not looked for.
Result<Header> read_header(Bytes bytes) {
  spng_ihdr ihdr{};
  auto context = open(bytes, ihdr);
  if (!context.has_value()) return context.error();
  spng_exif exif{};
  int orientation = 1;
  if (spng_get_exif(context->get(), &exif) == 0) {
    orientation = exif_orientation({reinterpret_cast<const std::byte*>(exif.data), exif.length});
  }
  return Header{ihdr.width, ihdr.height, orientation};
}

// Deflate packs at most 1032 to 1 (RFC 1951: 258 bytes from two bits), so a shorter file lies about its size.
Status check_plausible(const spng_ihdr& ihdr, std::size_t file_bytes) {
  const unsigned channels[] = {1, 0, 3, 1, 2, 0, 4};  // by color type
  const std::uint64_t row_bits = std::uint64_t{ihdr.width} * channels[ihdr.color_type] * ihdr.bit_depth;
  const std::uint64_t raw_bytes = (row_bits + 7) / 8 * ihdr.height;
  if (raw_bytes / 1032 <= file_bytes) return {};
  return Error{Code::corrupt, text("png: the file ends early: ", ihdr.width, "x", ihdr.height,
                                   " pixels cannot be held in ", file_bytes, " bytes")};
}

Result<std::vector<std::uint8_t>> decode_as(spng_ctx* context, int format) {
  std::size_t size = 0;
  int code = spng_decoded_image_size(context, format, &size);
  if (code != 0) return failed(code);
  std::vector<std::uint8_t> pixels(size);
  code = spng_decode_image(context, pixels.data(), size, format, SPNG_DECODE_TRNS);
  if (code != 0) return failed(code);
  return pixels;
}

// 16 bits to 8, to the nearest: v * 255 / 65535 = v / 257.
void narrow(std::vector<std::uint8_t>& pixels) {
  const std::size_t count = pixels.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t wide = 0;  // host order, as libspng writes it
    std::memcpy(&wide, pixels.data() + 2 * i, 2);
    pixels[i] = static_cast<std::uint8_t>((wide + 128u) / 257u);
  }
  pixels.resize(count);
}

Result<Image> decode(Bytes bytes, const Header& header, const DecodeOptions& options) {
  spng_ihdr ihdr{};
  auto context = open(bytes, ihdr);
  if (!context.has_value()) return context.error();
  TESSERA_TRY(check_plausible(ihdr, bytes.size()));
  spng_trns trns{};
  const bool alpha = ihdr.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
                     ihdr.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA || spng_get_trns(context->get(), &trns) == 0;
  const bool wide = ihdr.bit_depth == 16;
  auto pixels = decode_as(context->get(), wide ? SPNG_FMT_RGBA16 : alpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8);
  if (!pixels.has_value()) return pixels.error();
  Image image;
  image.width = image.full_width = static_cast<int>(header.width);
  image.height = image.full_height = static_cast<int>(header.height);
  if (!wide && !alpha) {
    image.pixels = std::move(*pixels);
    return image;
  }
  if (wide) narrow(*pixels);
  image.pixels.resize(image.row_bytes() * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    const std::size_t offset = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) * 4;
    blend_row(pixels->data() + offset, image.row(y), image.width, options.background);
  }
  return image;
}

}  // namespace

const Codec kPngCodec{ImageFormat::png, matches, read_header, decode};

}  // namespace tessera::image_internal
