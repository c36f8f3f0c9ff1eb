#pragma once
// Where the input of a tile of output pixels lies: for each run of adjacent floats (a kernel row, or one tap's
// channels) a pointer per pixel. This is what takes the place of im2col.

#include <optional>

#include "kernels/conv/conv.h"

namespace tessera {

/// runs[segment * pitch + row], or if the rows lie at equal distances runs[segment] and their distance, `stride`; each
/// run is `length` floats; runs in the order of the packed weights.
struct RunTable {
  const float** runs = nullptr;
  std::int64_t segments = 0, length = 0;
  std::int64_t stride = 0;  ///< 0: a pointer for every row
};

/// What stays the same for all tiles of a task.
struct RunSource {
  const ConvShape* shape = nullptr;
  const float* src = nullptr;    ///< first channel of the group
  std::int64_t stride = 0;       ///< floats from pixel to pixel
  const float* zeros = nullptr;  ///< ic / groups zeros
  std::int64_t pitch = 0;        ///< row pointers per segment
  std::byte* scratch = nullptr;  ///< run_table_bytes()
};

/// Where a tile begins among the output pixels.
struct PixelPlace {
  std::int64_t image = 0, y = 0, x = 0;
  void advance(const ConvShape& shape, std::int64_t pixels) noexcept;
};

std::size_t run_table_bytes(const ConvShape& shape, std::int64_t pitch);
/// `rows` output pixels from `first` on, counted through lines and images; rows <= pitch.
RunTable make_run_table(const RunSource& source, const PixelPlace& first, std::int64_t rows);

/// A kernel's row of so many floats is copied where it crosses the border.
bool copies_rows(const ConvShape& shape);
/// One output's patch [kh][kw][channels], with the zeros of the padding.
void copy_patch(const RunSource& source, const PixelPlace& output, float* out);

/// Small images of few channels are copied into a frame of zeros once, which costs less than to treat the border tile
/// by tile: the shape of the framed image, without padding. Empty: not worth it.
std::optional<ConvShape> framed(const ConvShape& shape);
/// Rows [from, to) of the frame from an image (its first channel of the group at src), zeros around it; channels become
/// adjacent. dst is the frame's row 0.
void copy_into_frame(const ConvShape& shape, const ConvShape& frame, const float* src, std::int64_t stride,
                     std::int64_t from, std::int64_t to, float* dst);

}  // namespace tessera
