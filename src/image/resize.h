#pragma once
// Bilinear resize with two taps per axis and no low-pass filter, as OpenCV's INTER_LINEAR and Darknet do: detectors
// are trained on pictures made this way, so a "better" filter would be a different input.

#include <tessera/result.h>

#include <cstdint>

#include "base/cpu_features.h"
#include "image/image.h"

namespace tessera {

/// Which source position an output pixel x reads, for in and out extents of one axis.
enum class SampleGrid : std::uint8_t {
  half_pixel,  ///< (x + 0.5) * in / out - 0.5, clamped to the picture: OpenCV, PIL, most trainers
  corners,     ///< x * (in - 1) / (out - 1): Darknet's own resize_image; the first and last pixels coincide
};

/// Position of output pixel x on an axis, clamped to [0, in - 1]. Double throughout: the only definition.
double sample_position(SampleGrid grid, int x, int in, int out) noexcept;

/// Writes dst (dst_width x dst_height RGB, rows dst_row_bytes apart), which may not overlap src.
/// Arithmetic, in float and in this order, the same bits in every variant:
///   top = a + (b - a) * tx; bottom = c + (d - c) * tx; v = top + (bottom - top) * ty; rounded half to even.
/// invalid_argument when an extent is below 1 or a side is above 65535.
Status resize_into(const ImageView& src, std::uint8_t* dst, int dst_width, int dst_height, std::int64_t dst_row_bytes,
                   SampleGrid grid = SampleGrid::half_pixel, const CpuInfo& cpu = CpuInfo::detect());
Result<Image> resize(const ImageView& src, int width, int height, SampleGrid grid = SampleGrid::half_pixel);

/// The slow twin: one pixel at a time, in double. v is within 2^-15 of it before rounding (see resize_test.cc).
Result<Image> resize_reference(const ImageView& src, int width, int height, SampleGrid grid = SampleGrid::half_pixel);

}  // namespace tessera
