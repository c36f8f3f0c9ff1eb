#pragma once
// Shared by the writer and its slow twin.

#include "canvas/canvas.h"

namespace tessera::canvas_internal {

/// Width or height 0 in `full` means the view's own.
Result<CanvasMap> check_and_place(const CanvasSpec& spec, const ImageView& image, std::int64_t pixel_stride,
                                  std::int64_t row_stride, std::array<int, 2> full);
Status check(const CanvasSpec& spec);

}  // namespace tessera::canvas_internal
