#pragma once
// The one thing wanted from EXIF: which way up the camera was held.

#include "image/bytes.h"
#include "image/image.h"

namespace tessera::image_internal {

/// Orientation (tag 0x0112) from a TIFF block, with or without "Exif\0\0" before it; 1 when absent or nonsense.
/// Source  CIPA DC-008 (Exif 2.3), section 4.6.4; TIFF 6.0, section 2.
int exif_orientation(Bytes block) noexcept;

/// Orientations 5 to 8 exchange width and height.
constexpr bool swaps_axes(int orientation) noexcept { return orientation >= 5; }

/// The picture turned upright: 1 as is, 2 mirrored, 3 half turn, 4 flipped, 5 transposed, 6 a quarter turn clockwise,
/// 7 transposed over the other diagonal, 8 a quarter turn counterclockwise.
Image turn_upright(Image stored, int orientation);

}  // namespace tessera::image_internal
