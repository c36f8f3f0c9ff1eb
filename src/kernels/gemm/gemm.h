#pragma once
// The micro-kernel of every dense f32 convolution: a few output pixels (rows) times one panel of output channels,
// accumulated in registers over the whole sum, finished by the epilogue, stored once.
//
//   acc[r][j] = start[j] + sum over k of a_r[k] * b[k][j]        k runs through `segments` runs of `length`
//   dst[r][j] = post_act(act(acc[r][j]) + residual[r][j])        for j < columns only
//
// Products are added in the order of k, one fused multiply-add each (the plain C++ variant rounds twice). A small tile
// keeps several partial sums over k instead, to hide the latency of the adds. So an element's bits depend on the
// variant and on sums_of() its tile, not on its place in the tile.

#include <cstdint>
#include <span>

#include "base/activation.h"
#include "kernels/variant.h"

namespace tessera {

/// What happens to an accumulator before the store.
struct GemmEpilogue {
  ActivationSpec act;
  ActivationSpec post_act;  ///< after the residual was added; linear without one
};

/// One call's operands. No pointer needs alignment but b and scratch (64 bytes).
struct GemmTile {
  const float* const* a = nullptr;  ///< [segments][MicroKernel::rows]: where each row's run begins; strided: [segments]
  std::int64_t a_stride = 0;        ///< strided only: row r begins r * a_stride floats behind row 0
  std::int64_t segments = 0, length = 0;
  std::int64_t offset = 0;       ///< floats from where the pointers point to where the runs begin
  const float* b = nullptr;      ///< [segments * length][vectors * lanes], packed by pack_panels
  const float* start = nullptr;  ///< [vectors * lanes]: the bias, zero in the padding
  std::int64_t start_stride =
      0;                 ///< 0: the same for all rows; else row r starts at start + r * start_stride, may be dst
  float* dst = nullptr;  ///< row r at dst + r * dst_stride; nothing but its first `columns` floats is written
  std::int64_t dst_stride = 0;
  std::int64_t columns = 0;         ///< 1 .. vectors * lanes
  const float* residual = nullptr;  ///< null for none; may be dst
  std::int64_t residual_stride = 0;
  const GemmEpilogue* epilogue = nullptr;
  float* scratch = nullptr;  ///< room for one tile: rows * vectors * lanes floats
  std::int64_t tiles = 1;    ///< strips and folded only: as many tiles, each a_stride, dst_stride, ... behind the last
};

/// How a strip of few columns takes several products of a sum in one multiply-add, each in lanes of its own. b has
/// [segments][ceil(length / products)] steps of vectors * lanes floats, zero where there is nothing; start is a step
/// with the bias as product 0.
struct FoldForm {
  int columns;            ///< at most, for 16 lanes
  int products, vectors;  ///< of a step
  bool by_fours;          ///< columns 0, 1 of every four stand in the first vector, 2 and 3 in the second

  /// Where column o's product j stands in a step.
  constexpr std::int64_t place(std::int64_t o, std::int64_t j, std::int64_t lanes) const {
    return by_fours ? o % 4 / 2 * lanes + (o / 4 * 2 + o % 2) * products + j : o * products + j;
  }
};
inline constexpr FoldForm kFoldForms[] = {{16, 2, 2, true}, {8, 2, 1, false}, {4, 4, 1, false}};

/// One instruction set's micro-kernels: a function per number of rows and of vectors.
struct MicroKernel {
  static constexpr int kMaxRows = 12, kMaxVectors = 4;
  using Tile = void(const GemmTile&);
  int rows, vectors, lanes;            ///< the largest tile; rows <= kMaxRows, vectors <= kMaxVectors
  Tile* tiles[kMaxRows][kMaxVectors];  ///< [rows - 1][vectors - 1]
  /// The same numbers, for rows at equal distances: fewer registers for addresses, less to do before a short sum.
  Tile* strided[kMaxRows][kMaxVectors];
  /// Strided, many tiles in one call, and one partial sum whatever the height: an element's bits depend on the variant
  /// alone. start_stride is 0. For layers of few channels, whose tiles take no longer than a call.
  Tile* strips[kMaxRows][kMaxVectors];
  /// Strips of few columns by form (FoldForm), null where the instruction set has none.
  Tile* folded[3][kMaxRows];

  std::int64_t panel_width() const { return std::int64_t{vectors} * lanes; }
};

/// Best first, plain C++ ("scalar") last. Variant::run points to the kernel's table.
std::span<const Variant<const MicroKernel>> gemm_variants();

/// Partial sums that a tile keeps. Two fused multiply-adds a cycle, four cycles each: fewer than eight chains would
/// wait for one another.
constexpr int sums_of(std::int64_t rows, std::int64_t vectors) {
  return rows * vectors >= 8 ? 1 : rows * vectors >= 4 ? 2 : 4;
}

/// One group's weights [oc][ic][kh][kw] as panels: [panel][kh][kw][ic][width], output channels beyond oc are zero. The
/// last panel is `lanes` times as many vectors wide as it needs. dst has room for packed_floats().
std::int64_t packed_floats(std::int64_t oc, std::int64_t k, const MicroKernel& kernel);
void pack_panels(const float* weights, std::int64_t oc, std::int64_t ic, std::int64_t taps, const MicroKernel& kernel,
                 float* dst);

}  // namespace tessera
