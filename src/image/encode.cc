// Result pictures: JPEG through TurboJPEG, PNG through libspng.

#include <spng.h>
#include <turbojpeg.h>

#include <cstdlib>
#include <memory>

#include "base/text.h"
#include "image/image.h"

namespace tessera {
namespace {

struct DestroyTurbo {
  void operator()(void* handle) const noexcept { tjDestroy(handle); }
};
struct FreeTurbo {
  void operator()(unsigned char* bytes) const noexcept { tjFree(bytes); }
};
struct FreeSpng {
  void operator()(spng_ctx* context) const noexcept { spng_ctx_free(context); }
};
struct FreeMalloc {
  void operator()(void* bytes) const noexcept { std::free(bytes); }
};

std::vector<std::byte> copy_bytes(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  return {bytes, bytes + size};
}

Status check(const char* format, const ImageView& image, int max_side) {
  if (image.width >= 1 && image.height >= 1 && image.width <= max_side && image.height <= max_side) return {};
  return Error{Code::invalid_argument, text(format, ": cannot write a picture of ", image.width, "x", image.height,
                                            " pixels, want 1 to ", max_side, " per side")};
}

}  // namespace

Result<std::vector<std::byte>> encode_jpeg(const ImageView& image, int quality) {
  TESSERA_TRY(check("jpeg", image, 65500));  // JPEG_MAX_DIMENSION of libjpeg
  if (quality < 1 || quality > 100) {
    return Error{Code::invalid_argument, text("jpeg: quality ", quality, ", want 1 to 100")};
  }
  const std::unique_ptr<void, DestroyTurbo> handle(tjInitCompress());
  if (!handle) return Error{Code::limit_exceeded, "jpeg: out of memory"};
  unsigned char* raw = nullptr;
  unsigned long size = 0;
  const int subsampling = quality >= 90 ? TJSAMP_444 : TJSAMP_420;
  const int status = tjCompress2(handle.get(), image.data, image.width, static_cast<int>(image.row_bytes), image.height,
                                 TJPF_RGB, &raw, &size, subsampling, quality, TJFLAG_ACCURATEDCT);
  const std::unique_ptr<unsigned char, FreeTurbo> bytes(raw);
  if (status != 0) return Error{Code::io, text("jpeg: cannot encode: ", tjGetErrorStr2(handle.get()))};
  return copy_bytes(bytes.get(), size);
}

Result<std::vector<std::byte>> encode_png(const ImageView& image) {
  TESSERA_TRY(check("png", image, 65535));
  const std::unique_ptr<spng_ctx, FreeSpng> context(spng_ctx_new(SPNG_CTX_ENCODER));
  if (!context) return Error{Code::limit_exceeded, "png: out of memory"};
  spng_ihdr ihdr{};
  ihdr.width = static_cast<std::uint32_t>(image.width);
  ihdr.height = static_cast<std::uint32_t>(image.height);
  ihdr.bit_depth = 8;
  ihdr.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  int code = spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  if (code == 0) code = spng_set_ihdr(context.get(), &ihdr);
  if (code == 0) {
    code = spng_encode_image(context.get(), nullptr, 0, SPNG_FMT_PNG, SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
  }
  for (int y = 0; code == 0 && y < image.height; ++y) {
    code = spng_encode_row(context.get(), image.row(y), static_cast<std::size_t>(image.width) * 3);
  }
  if (code != 0 && code != SPNG_EOI) return Error{Code::io, text("png: cannot encode: ", spng_strerror(code))};
  std::size_t size = 0;
  const std::unique_ptr<void, FreeMalloc> bytes(spng_get_png_buffer(context.get(), &size, &code));
  if (!bytes) return Error{Code::io, text("png: cannot encode: ", spng_strerror(code))};
  return copy_bytes(bytes.get(), size);
}

}  // namespace tessera
