#include "image/resize_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tessera::image_internal {
namespace {

struct Tap {
  std::int32_t first;
  float weight;
};

// The last pixel is written as the one before it with weight 1: (b - a) is exact and a + (b - a) * 1 == b, and a
// tap then always has a right neighbour to read.
Tap tap(SampleGrid grid, int x, int in, int out) {
  if (in == 1) return {0, 0.0f};
  const double position = sample_position(grid, x, in, out);
  const int first = std::min(static_cast<int>(position), in - 2);
  return {first, static_cast<float>(position - first)};
}

void columns_all(const std::uint8_t* src, const Columns& table, float* dst) { columns_reference(src, table, 0, dst); }
void blend_f32_all(const float* top, const float* bottom, float weight, const Affine& affine, int width, float* dst,
                   std::int64_t stride) {
  blend_f32_reference(top, bottom, weight, affine, 0, width, dst, stride);
}
void blend_u8_all(const float* top, const float* bottom, float weight, int width, std::uint8_t* dst,
                  std::int64_t stride) {
  blend_u8_reference(top, bottom, weight, 0, width, dst, stride);
}

constexpr RowKernels kRowKernels[] = {
#if defined(TESSERA_X86)
    {"avx2", Isa::avx2, columns_avx2, blend_f32_avx2, blend_u8_avx2},
#endif
    {"reference", Isa::none, columns_all, blend_f32_all, blend_u8_all},
};

}  // namespace

void fill_columns(ColumnTable& table, SampleGrid grid, int in, int out, bool swap_red_blue) {
  table.offset.resize(static_cast<std::size_t>(out));
  table.weight4.resize(static_cast<std::size_t>(out) * 4);
  int wide_columns = 0;
  for (int x = 0; x < out; ++x) {
    const auto i = static_cast<std::size_t>(x);
    const Tap t = tap(grid, x, in, out);
    table.offset[i] = 3 * t.first;
    std::fill_n(table.weight4.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, t.weight);
    if (in > 1 && table.offset[i] + 8 <= 3 * in) wide_columns = x + 1;
  }
  table.view = {table.offset.data(), table.weight4.data(), out, in == 1 ? 0 : 3, wide_columns, swap_red_blue};
}

void fill_rows(RowTable& table, SampleGrid grid, int in, int out) {
  table.first.resize(static_cast<std::size_t>(out));
  table.weight.resize(static_cast<std::size_t>(out));
  for (int y = 0; y < out; ++y) {
    const Tap t = tap(grid, y, in, out);
    table.first[static_cast<std::size_t>(y)] = t.first;
    table.weight[static_cast<std::size_t>(y)] = t.weight;
  }
}

std::span<const RowKernels> row_kernels() noexcept { return kRowKernels; }

const RowKernels& best_row_kernels(const CpuInfo& cpu) noexcept {
  for (const RowKernels& kernels : kRowKernels) {
    if (cpu.supports(kernels.isa)) return kernels;
  }
  return *(std::end(kRowKernels) - 1);
}

void columns_reference(const std::uint8_t* src, const Columns& table, int begin, float* dst) {
  for (int x = begin; x < table.width; ++x) {
    const std::uint8_t* left = src + table.offset[x];
    const std::uint8_t* right = left + table.right_step;
    const float weight = table.weight4[4 * x];
    for (int c = 0; c < 3; ++c) {
      const int from = table.swap_red_blue ? 2 - c : c;
      const auto a = static_cast<float>(left[from]), b = static_cast<float>(right[from]);
      dst[3 * x + c] = a + (b - a) * weight;
    }
  }
}

void blend_f32_reference(const float* top, const float* bottom, float weight, const Affine& affine, int begin,
                         int width, float* dst, std::int64_t stride) {
  for (int x = begin; x < width; ++x) {
    for (int c = 0; c < 3; ++c) {
      const int i = 3 * x + c;
      const float v = top[i] + (bottom[i] - top[i]) * weight;
      dst[x * stride + c] = v * affine.scale[c] + affine.shift[c];
    }
  }
}

void blend_u8_reference(const float* top, const float* bottom, float weight, int begin, int width, std::uint8_t* dst,
                        std::int64_t stride) {
  for (int x = begin; x < width; ++x) {
    for (int c = 0; c < 3; ++c) {
      const int i = 3 * x + c;
      // Between its four bytes up to the last bit, so it rounds into [0, 255].
      dst[x * stride + c] = static_cast<std::uint8_t>(std::lrintf(top[i] + (bottom[i] - top[i]) * weight));
    }
  }
}

}  // namespace tessera::image_internal
