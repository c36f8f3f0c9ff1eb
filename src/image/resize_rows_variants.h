#pragma once
// What the row kernels work on, as plain data: files with ISA flags include nothing else, so that no inline function
// compiled for a newer processor can end up serving everyone.

#include <cstdint>

namespace tessera::image_internal {

/// For each output column: where its left tap begins in a source row, and the weight of the right tap.
struct Columns {
  const std::int32_t* offset;  ///< bytes, never decreasing
  const float* weight4;        ///< in [0, 1], four times each, so that vector code loads them in the shape it needs
  int width;
  int right_step;      ///< bytes from the left tap to the right one: 3, or 0 in a picture one pixel wide
  int wide_columns;    ///< the first so many columns may be read as 8 bytes without leaving the row
  bool swap_red_blue;  ///< output channels are blue, green, red
};

/// v * scale[c] + shift[c], two roundings.
struct Affine {
  float scale[3] = {1, 1, 1}, shift[3] = {0, 0, 0};
};

// The reference, which the vector variants also call for their tails: columns or pixels from `begin` on.
void columns_reference(const std::uint8_t* src, const Columns& table, int begin, float* dst);
void blend_f32_reference(const float* top, const float* bottom, float weight, const Affine& affine, int begin,
                         int width, float* dst, std::int64_t stride);
void blend_u8_reference(const float* top, const float* bottom, float weight, int begin, int width, std::uint8_t* dst,
                        std::int64_t stride);

// The vector forms that resize_rows.cc lists. Contracts: RowKernels in resize_rows.h.
void columns_avx2(const std::uint8_t* src, const Columns& table, float* dst);
void blend_f32_avx2(const float* top, const float* bottom, float weight, const Affine& affine, int width, float* dst,
                    std::int64_t stride);
void blend_u8_avx2(const float* top, const float* bottom, float weight, int width, std::uint8_t* dst,
                   std::int64_t stride);

}  // namespace tessera::image_internal
