#pragma once
// Where the input of a tile of output pixels lies: for each run of adjacent floats (a kernel row, or one tap's
// channels) a pointer per pixel. This is what takes the place of im2col.

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

std::size_t run_table_bytes(const ConvShape& shape, std::int64_t pitch);
/// Output pixels [first, first + rows), counted through rows and images; rows <= pitch.
RunTable make_run_table(const RunSource& source, std::int64_t first, std::int64_t rows);

}  // namespace tessera
