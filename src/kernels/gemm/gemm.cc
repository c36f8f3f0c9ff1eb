#include "kernels/gemm/gemm.h"

#include <algorithm>

#include "kernels/gemm/micro_kernels.h"

namespace tessera {
namespace {

constexpr Variant<const MicroKernel> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, &kMicroKernelAvx512},
    {"avx2", Isa::avx2, &kMicroKernelAvx2},
#elif defined(TESSERA_NEON)
    {"neon", Isa::neon, &kMicroKernelNeon},
#endif
    {"scalar", Isa::none, &kMicroKernelScalar},
};

using Four = float __attribute__((vector_size(16), aligned(4)));

/// Four rows of four numbers become four columns: row r of the result goes to dst[r].
void transpose(const float* src, std::int64_t stride, float* const* dst, std::int64_t column) {
  Four in[4];
  for (int r = 0; r < 4; ++r) in[r] = *reinterpret_cast<const Four*>(src + r * stride);
  const Four ab = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5),
             cd = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
  const Four ef = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7),
             gh = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
  *reinterpret_cast<Four*>(dst[0] + column) = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  *reinterpret_cast<Four*>(dst[1] + column) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  *reinterpret_cast<Four*>(dst[2] + column) = __builtin_shufflevector(ef, gh, 0, 1, 4, 5);
  *reinterpret_cast<Four*>(dst[3] + column) = __builtin_shufflevector(ef, gh, 2, 3, 6, 7);
}

/// Some rows of a panel, as long as stays in L1.
constexpr std::int64_t kPackRows = 32;

struct Rows {
  float* at[kPackRows];
  std::int64_t count;
};

/// src[j][0, rows.count) of `columns` output channels to column j of the rows.
void pack_rows(const float* src, std::int64_t stride, std::int64_t columns, const Rows& rows) {
  std::int64_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    std::int64_t r = 0;
    for (; r + 4 <= rows.count; r += 4) transpose(src + j * stride + r, stride, rows.at + r, j);
    for (; r < rows.count; ++r) {
      for (std::int64_t c = j; c < j + 4; ++c) rows.at[r][c] = src[c * stride + r];
    }
  }
  for (; j < columns; ++j) {
    for (std::int64_t r = 0; r < rows.count; ++r) rows.at[r][j] = src[j * stride + r];
  }
}

}  // namespace

std::span<const Variant<const MicroKernel>> gemm_variants() { return kVariants; }

std::int64_t packed_floats(std::int64_t oc, std::int64_t k, const MicroKernel& kernel) {
  return (oc + kernel.lanes - 1) / kernel.lanes * kernel.lanes * k;
}

void pack_panels(const float* weights, std::int64_t oc, std::int64_t ic, std::int64_t taps, const MicroKernel& kernel,
                 float* dst) {
  const std::int64_t k = ic * taps;
  for (std::int64_t o0 = 0; o0 < oc; o0 += kernel.panel_width()) {
    const std::int64_t count = std::min(oc - o0, kernel.panel_width()), width = packed_floats(count, 1, kernel);
    for (std::int64_t first = 0; first < k; first += kPackRows) {
      Rows rows{.at = {}, .count = std::min(kPackRows, k - first)};
      for (std::int64_t r = 0; r < rows.count; ++r) {
        rows.at[r] = dst + ((first + r) % taps * ic + (first + r) / taps) * width;
        std::fill(rows.at[r] + count, rows.at[r] + width, 0.0f);
      }
      pack_rows(weights + o0 * k + first, k, count, rows);
    }
    dst += k * width;
  }
}

}  // namespace tessera
