#pragma once
// A decoded frame as upright RGB.

#include <tessera/result.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "image/image.h"
#include "pipeline/video/libav.h"

namespace tessera {

/// EXIF's number (1 to 8) for a display matrix of nine 16.16 and 2.30 fixed-point values; null is upright. Angles
/// between the quarter turns count as the nearest one.
int orientation_of(const std::int32_t* matrix) noexcept;

/// Converts frames of one stream, on any number of threads at once; keeps a scaler for each.
class FrameConverter {
 public:
  FrameConverter(int orientation, const DecodeLimits& limits) : orientation_(orientation), limits_(limits) {}

  /// Colors by the frame's matrix and range, as ffmpeg converts to rgb24; a stream that does not say its matrix has
  /// BT.601's. 8 bits a channel, transparency ignored.
  /// Errors  limit_exceeded: too large; unsupported: pixels that libswscale does not read.
  Result<Image> convert(const AVFrame& frame);

 private:
  SwsPtr take();
  void give_back(SwsPtr scaler);

  int orientation_;
  DecodeLimits limits_;
  std::mutex mutex_;
  std::vector<SwsPtr> idle_;
};

}  // namespace tessera
