// WebP through libwebp: lossy, lossless, alpha; of an animation the first frame.

#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>
#include <vector>

#include "base/text.h"
#include "image/codec.h"
#include "image/exif.h"

namespace tessera::image_internal {
namespace {

Error failed(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
      return {Code::corrupt, "webp: the file ends early"};
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return {Code::unsupported, "webp: uses a feature libwebp does not read"};
    case VP8_STATUS_OUT_OF_MEMORY:
      return {Code::limit_exceeded, "webp: out of memory"};
    default:
      return {Code::corrupt, "webp: the bitstream is damaged"};
  }
}

struct DeleteDemuxer {
  void operator()(WebPDemuxer* demuxer) const noexcept { WebPDemuxDelete(demuxer); }
};
struct DeleteAnimation {
  void operator()(WebPAnimDecoder* decoder) const noexcept { WebPAnimDecoderDelete(decoder); }
};

int orientation_of(const WebPData& file) {
  const std::unique_ptr<WebPDemuxer, DeleteDemuxer> demuxer(WebPDemux(&file));
  if (!demuxer) return 1;
  WebPChunkIterator chunk{};
  int orientation = 1;
  if (WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk)) {
    orientation = exif_orientation({reinterpret_cast<const std::byte*>(chunk.chunk.bytes), chunk.chunk.size});
  }
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

bool matches(Bytes bytes) { return starts_with(bytes, "RIFF") && starts_with(bytes, "WEBP", 8); }

Result<WebPBitstreamFeatures> features_of(Bytes bytes) {
  WebPBitstreamFeatures features{};
  const VP8StatusCode status = WebPGetFeatures(as_u8(bytes), bytes.size(), &features);
  if (status != VP8_STATUS_OK) return failed(status);
  return features;
}

Result<Header> read_header(Bytes bytes) {
  const auto features = features_of(bytes);
  if (!features.has_value()) return features.error();
  return Header{features->width, features->height, orientation_of({as_u8(bytes), bytes.size()})};
}

Status decode_still(Bytes bytes, bool alpha, std::uint8_t* pixels, std::size_t size, int row_bytes) {
  WebPDecoderConfig config{};
  if (!WebPInitDecoderConfig(&config)) return Error{Code::unsupported, "webp: libwebp has another version"};
  config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {pixels, row_bytes, size};
  const VP8StatusCode status = WebPDecode(as_u8(bytes), bytes.size(), &config);
  if (status != VP8_STATUS_OK) return failed(status);
  return {};
}

Status decode_first_frame(Bytes bytes, std::vector<std::uint8_t>& rgba) {
  WebPAnimDecoderOptions options{};
  if (!WebPAnimDecoderOptionsInit(&options)) return Error{Code::unsupported, "webp: libwebp has another version"};
  options.color_mode = MODE_RGBA;
  const WebPData file{as_u8(bytes), bytes.size()};
  const std::unique_ptr<WebPAnimDecoder, DeleteAnimation> decoder(WebPAnimDecoderNew(&file, &options));
  std::uint8_t* frame = nullptr;
  int timestamp = 0;
  if (!decoder || !WebPAnimDecoderGetNext(decoder.get(), &frame, &timestamp)) {
    return Error{Code::corrupt, "webp: the first frame of the animation cannot be read"};
  }
  std::copy_n(frame, rgba.size(), rgba.data());
  return {};
}

Result<Image> decode(Bytes bytes, const Header& header, const DecodeOptions& options) {
  const auto features = features_of(bytes);
  if (!features.has_value()) return features.error();
  Image image(static_cast<int>(header.width), static_cast<int>(header.height));
  if (!features->has_alpha && !features->has_animation) {
    TESSERA_TRY(decode_still(bytes, false, image.row(0), image.pixels.size(), image.width * 3));
    return image;
  }
  std::vector<std::uint8_t> rgba(image.pixels.size() / 3 * 4);
  if (features->has_animation) {
    TESSERA_TRY(decode_first_frame(bytes, rgba));
  } else {
    TESSERA_TRY(decode_still(bytes, true, rgba.data(), rgba.size(), image.width * 4));
  }
  for (int y = 0; y < image.height; ++y) {
    const std::size_t offset = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) * 4;
    blend_row(rgba.data() + offset, image.row(y), image.width, options.background);
  }
  return image;
}

}  // namespace

const Codec kWebpCodec{ImageFormat::webp, matches, read_header, decode};

}  // namespace tessera::image_internal
