#pragma once
// The two passes of a bilinear resize, row by row. Shared by resize.cc (bytes out) and the canvas (floats out).
//
//   source row, bytes --columns--> one float row of out_width x 3 --blend two of them--> output row
//
// Every variant does the same float operations in the same order, without fused multiply-add: same bits everywhere.

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_features.h"
#include "image/image.h"
#include "image/resize.h"
#include "image/resize_rows_variants.h"

namespace tessera::image_internal {

/// Owns what a Columns refers to.
struct ColumnTable {
  std::vector<std::int32_t> offset;
  std::vector<float> weight4;
  Columns view{};
};

/// For each output row: its upper source row and the weight of the one below.
struct RowTable {
  std::vector<std::int32_t> first;
  std::vector<float> weight;
  int height() const noexcept { return static_cast<int>(first.size()); }
};

/// Refills the tables (no allocation when the output size did not grow). All extents >= 1.
void fill_columns(ColumnTable& table, SampleGrid grid, int in, int out, bool swap_red_blue);
void fill_rows(RowTable& table, SampleGrid grid, int in, int out);

/// Floats a row buffer needs: vector code writes one element past the last pixel.
inline std::size_t row_floats(int width) noexcept { return static_cast<std::size_t>(width) * 3 + 1; }

struct RowKernels {
  const char* name;
  Isa isa;
  /// dst[3x + c] = a + (b - a) * weight. dst has row_floats(width) elements.
  void (*columns)(const std::uint8_t* src, const Columns& table, float* dst);
  /// dst[x * stride + c] = affine(top + (bottom - top) * weight), c < 3; top and bottom have row_floats(width).
  void (*blend_f32)(const float* top, const float* bottom, float weight, const Affine& affine, int width, float* dst,
                    std::int64_t stride);
  /// The same without affine, rounded half to even.
  void (*blend_u8)(const float* top, const float* bottom, float weight, int width, std::uint8_t* dst,
                   std::int64_t stride);
};

std::span<const RowKernels> row_kernels() noexcept;  ///< best first, reference last
const RowKernels& best_row_kernels(const CpuInfo& cpu) noexcept;

/// Calls emit(y, top, bottom, weight) for the output rows [begin, end). scratch: 2 * row_floats(width) floats.
template <class Emit>
void for_each_row(const RowKernels& kernels, const Columns& columns, const RowTable& rows, const ImageView& src,
                  int begin, int end, float* scratch, Emit emit) {
  float* buffer[2] = {scratch, scratch + row_floats(columns.width)};
  int held[2] = {-1, -1};  // the source rows in the two buffers: enlarging, most rows need nothing new
  const auto fetch = [&](int row, int keep) -> int {
    for (int i = 0; i < 2; ++i) {
      if (held[i] == row) return i;
    }
    const int free = keep == 0 ? 1 : 0;
    kernels.columns(src.row(row), columns, buffer[free]);
    held[free] = row;
    return free;
  };
  for (int y = begin; y < end; ++y) {
    const int row = rows.first[static_cast<std::size_t>(y)];
    const float weight = rows.weight[static_cast<std::size_t>(y)];
    // When the row is new, the buffer to give up is the one that does not hold the row below it.
    const int below = weight == 0.0f ? row : row + 1;
    const int top = fetch(row, held[0] == below ? 0 : 1);
    const int bottom = fetch(below, top);  // weight 0: top + (bottom - top) * 0 is top
    emit(y, buffer[top], buffer[bottom], weight);
  }
}

}  // namespace tessera::image_internal
