#include "pipeline/video/convert.h"

#include <cstdlib>
#include <cstring>
#include <utility>

extern "C" {
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
}

#include "base/text.h"
#include "image/exif.h"

namespace tessera {
namespace {

struct AvMemory {
  void operator()(std::uint8_t* memory) const noexcept { av_free(memory); }
};
using AvBytes = std::unique_ptr<std::uint8_t, AvMemory>;

/// Deprecated "J" formats are the plain ones with full range; libswscale knows.
bool full_range(const AVFrame& frame) { return frame.color_range == AVCOL_RANGE_JPEG; }

/// The scaler of last time if the frame is like the last one.
SwsPtr scaler_for(SwsPtr last, const AVFrame& f) {
  const auto format = static_cast<AVPixelFormat>(f.format);
  SwsPtr scaler(sws_getCachedContext(last.release(), f.width, f.height, format, f.width, f.height, AV_PIX_FMT_RGB24,
                                     SWS_BICUBIC, nullptr, nullptr, nullptr));
  if (!scaler) return scaler;
  int* inverse = nullptr;
  int* table = nullptr;
  int from_full = 0, to_full = 0, brightness = 0, contrast = 0, saturation = 0;
  if (sws_getColorspaceDetails(scaler.get(), &inverse, &from_full, &table, &to_full, &brightness, &contrast,
                               &saturation) < 0) {
    return scaler;  // RGB to RGB: nothing to choose
  }
  if (f.color_range != AVCOL_RANGE_UNSPECIFIED) from_full = full_range(f);
  sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(f.colorspace), from_full,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, brightness, contrast, saturation);
  return scaler;
}

/// libswscale's fast paths write whole vectors: rows get room for them, and are moved together afterwards.
Status scale_into(SwsContext& scaler, const AVFrame& frame, Image& image) {
  const std::size_t stride = (image.row_bytes() + 63) / 64 * 64;
  const bool direct = stride == image.row_bytes();
  AvBytes padded(direct ? nullptr : static_cast<std::uint8_t*>(av_malloc(stride * image.height + 64)));
  if (!direct && !padded) return Error{Code::limit_exceeded, "out of memory"};
  std::uint8_t* const to[4] = {direct ? image.pixels.data() : padded.get(), nullptr, nullptr, nullptr};
  const int strides[4] = {static_cast<int>(stride), 0, 0, 0};
  if (sws_scale(&scaler, frame.data, frame.linesize, 0, frame.height, to, strides) != frame.height) {
    return Error{Code::unsupported, "the frame's pixels cannot be converted"};
  }
  for (int y = 0; !direct && y < image.height; ++y) std::memcpy(image.row(y), to[0] + y * stride, image.row_bytes());
  return {};
}

}  // namespace

int orientation_of(const std::int32_t* m) noexcept {
  if (m == nullptr) return 1;
  // x' = a x + c y, y' = b x + d y with a, b = m[0], m[1] and c, d = m[3], m[4].
  const std::int64_t a = m[0], b = m[1], c = m[3], d = m[4];
  if (std::abs(a) + std::abs(d) >= std::abs(b) + std::abs(c)) {
    if (a >= 0) return d >= 0 ? 1 : 4;
    return d >= 0 ? 2 : 3;
  }
  if (b >= 0) return c >= 0 ? 5 : 6;
  return c >= 0 ? 8 : 7;
}

SwsPtr FrameConverter::take() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return nullptr;
  SwsPtr scaler = std::move(idle_.back());
  idle_.pop_back();
  return scaler;
}

void FrameConverter::give_back(SwsPtr scaler) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(scaler));
}

Result<Image> FrameConverter::convert(const AVFrame& frame) {
  const std::int64_t pixels = std::int64_t{frame.width} * frame.height;
  if (frame.width <= 0 || frame.height <= 0 || frame.width > limits_.max_side || frame.height > limits_.max_side ||
      pixels > limits_.max_pixels) {
    return Error{Code::limit_exceeded, text("a frame of ", frame.width, 'x', frame.height, " is above the limit")};
  }
  SwsPtr scaler = scaler_for(take(), frame);
  if (!scaler) {
    const char* format = av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame.format));
    return Error{Code::unsupported, text("pixels of format ", format != nullptr ? format : "unknown", " are not read")};
  }
  Image image(frame.width, frame.height);
  TESSERA_TRY(scale_into(*scaler, frame, image));
  give_back(std::move(scaler));
  return image_internal::turn_upright(std::move(image), orientation_);
}

}  // namespace tessera
