#pragma once
// The body of the micro-kernels, over a vector type V of one instruction set: the interface of
// kernels/activation/vec_<isa>.h and kRows x kVectors, the largest tile that fits the registers.
// Everything stands in an unnamed namespace: each *_<isa>.cc compiles a copy of its own with its own flags, and the
// linker can never choose one of them for an older processor.

#include <cstdint>

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/tile_finish.h"
#include "kernels/gemm/tile_store.h"

namespace tessera {
namespace {

// How many steps ahead b is asked for: about 200 cycles, the time to fetch from L3. (Measured on Sapphire Rapids: a
// panel from L2 gains 4 %, one from L3 up to 30 %; twice as far gains less.)
constexpr int kPrefetchSteps = 16;

/// acc[r][v] += row(r)[k] * b[v]: one rank-1 update of the tile.
template <class V, bool kPrefetch, int kRows, int kVectors, class Row>
[[gnu::always_inline]] inline void rank1(typename V::Reg (&acc)[kRows][kVectors], const Row& row, const float* b) {
  typename V::Reg bv[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    bv[v] = V::load(b + v * V::kLanes);
    if (kPrefetch && v * V::kLanes % 16 == 0)
      __builtin_prefetch(b + kPrefetchSteps * kVectors * V::kLanes + v * V::kLanes);
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const typename V::Reg av = V::set1(row(r));
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) acc[r][v] = V::fma(av, bv[v], acc[r][v]);
  }
}

/// One run of a pointer per row. Rows point past their runs and k counts up to 0: twelve rows, k and b are all the
/// general registers there are.
template <class V, int kRows>
struct PointerRows {
  const float* row[kRows];
  std::int64_t k;
  PointerRows(const GemmTile& t, std::int64_t segment) : k(-t.length) {
    const float* const* a = t.a + segment * V::kRows;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) row[r] = a[r] + t.offset + t.length;
  }
  [[gnu::always_inline]] float at(int r, int ahead) const { return row[r][k + ahead]; }
  [[gnu::always_inline]] void advance(int steps) { k += steps; }
};

/// One run of rows at equal distances: a pointer for every three of them.
template <class V, int kRows>
struct StridedRows {
  static constexpr int kGroups = (kRows + 2) / 3;
  const float* group[kGroups];
  std::int64_t stride;
  StridedRows(const GemmTile& t, std::int64_t segment) : stride(t.a_stride) {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) group[g] = t.a[segment] + t.offset + 3 * g * stride;
  }
  [[gnu::always_inline]] const float* run(int r) const { return group[r / 3] + r % 3 * stride; }
  [[gnu::always_inline]] float at(int r, int ahead) const { return run(r)[ahead]; }
  [[gnu::always_inline]] void advance(int steps) {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) group[g] += steps;
  }
};

/// The whole sum of a tile, left in acc[0].
template <class V, template <class, int> class Rows, int kSums, int kRows, int kVectors, bool kPrefetch>
[[gnu::always_inline]] inline void accumulate(typename V::Reg (&acc)[kSums][kRows][kVectors], const GemmTile& t) {
  constexpr int kWidth = kVectors * V::kLanes;
  const float* b = t.b;
  for (std::int64_t s = 0; s < t.segments; ++s) {
    Rows<V, kRows> rows(t, s);
    std::int64_t left = t.length;
    if constexpr (kSums > 1) {
      for (; left >= kSums; left -= kSums, b += kSums * kWidth) {
#pragma GCC unroll 4
        for (int u = 0; u < kSums; ++u) {
          rank1<V, kPrefetch>(
              acc[u], [&](int r) { return rows.at(r, u); }, b + u * kWidth);
        }
        rows.advance(kSums);
      }
    }
    for (; left > 0; --left, b += kWidth) {
      rank1<V, kPrefetch>(
          acc[0], [&](int r) { return rows.at(r, 0); }, b);
      rows.advance(1);
    }
  }
#pragma GCC unroll 4
  for (int u = 1; u < kSums; ++u) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) acc[0][r][v] = V::add(acc[0][r][v], acc[u][r][v]);
    }
  }
}

/// acc[0] begins with the bias, or where the sum was left; the other partial sums with zeros.
template <class V, int kSums, int kRows, int kVectors>
[[gnu::always_inline]] inline void begin_sums(typename V::Reg (&acc)[kSums][kRows][kVectors], const GemmTile& t) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      acc[0][r][v] = V::load(t.start + r * t.start_stride + v * V::kLanes);
#pragma GCC unroll 4
      for (int u = 1; u < kSums; ++u) acc[u][r][v] = V::set1(0.0f);
    }
  }
}

template <class V, int kRows, int kVectors>
[[gnu::always_inline]] inline void finish_in_memory(const typename V::Reg (&acc)[kRows][kVectors], const GemmTile& t) {
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) V::store(t.scratch + (r * kVectors + v) * V::kLanes, acc[r][v]);
  }
  finish<V>(t, kRows, kVectors * V::kLanes);
}

template <class V, template <class, int> class Rows, int kRows, int kVectors>
void tile(const GemmTile& t) {
  constexpr int kSums = sums_of(kRows, kVectors);
  typename V::Reg acc[kSums][kRows][kVectors];
  begin_sums<V>(acc, t);
  accumulate<V, Rows, kSums, kRows, kVectors, true>(acc, t);
  const RowLanes<V, kVectors> lanes(t.columns);
  if (!finished_in_registers<V>(acc[0], t, lanes)) finish_in_memory<V>(acc[0], t);
}

/// A panel of weights for so little is in L1 from the second tile on: nothing is prefetched.
template <class V, int kRows, int kVectors>
void strip(const GemmTile& t) {
  const RowLanes<V, kVectors> lanes(t.columns);
  GemmTile at = t;
  for (; at.tiles > 0; --at.tiles) {
    typename V::Reg acc[1][kRows][kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const auto start = V::load(at.start + v * V::kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) acc[0][r][v] = start;
    }
    accumulate<V, StridedRows, 1, kRows, kVectors, false>(acc, at);
    if (!finished_in_registers<V>(acc[0], at, lanes)) {
      const GemmTile copy = at;  // `at` itself stays in registers
      finish_in_memory<V>(acc[0], copy);
    }
    at.offset += kRows * at.a_stride;
    at.dst += kRows * at.dst_stride;
    if (at.residual) at.residual += kRows * at.residual_stride;
  }
}

/// The table of all tile shapes up to the largest, built by the compiler.
template <class V>
constexpr MicroKernel make_micro_kernel() {
  MicroKernel kernel{V::kRows, V::kVectors, V::kLanes, {}, {}, {}, {}};
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    const auto fill_row = [&]<int kR, int... kVector>(std::integral_constant<int, kR>,
                                                      std::integer_sequence<int, kVector...>) {
      ((kernel.tiles[kR][kVector] = tile<V, PointerRows, kR + 1, kVector + 1>), ...);
      ((kernel.strided[kR][kVector] = tile<V, StridedRows, kR + 1, kVector + 1>), ...);
      ((kernel.strips[kR][kVector] = strip<V, kR + 1, kVector + 1>), ...);
    };
    (fill_row(std::integral_constant<int, kRow>{}, std::make_integer_sequence<int, V::kVectors>{}), ...);
  }
  (std::make_integer_sequence<int, V::kRows>{});
  return kernel;
}

}  // namespace
}  // namespace tessera
