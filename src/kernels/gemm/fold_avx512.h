#pragma once
// Strips of few output channels, for AVX-512: a load that fills the lanes with two or four neighbouring inputs feeds as
// many products of a sum at once.
//
//   8 channels, two products       b:    w[k][0] w[k+1][0] w[k][1] w[k+1][1] ... w[k][7] w[k+1][7]
//                                  a:    a[k]    a[k+1]    a[k]    a[k+1]    ... a[k]    a[k+1]      one load
//   4 channels, four: likewise     acc:  both parts of sum 0, both of sum 1, ...
//
// So a pixel takes half or a quarter of the multiply-adds and of the loads. 16 channels fill two such vectors: as many
// multiply-adds, but half the loads, which bound them otherwise (13 for 12 multiply-adds; Sapphire Rapids was measured
// to do eight in the time of five loads with them). In the end the parts are added across, which leaves whole pixels,
// one, two or four in a vector, as they lie in memory.
// Everything stands in an unnamed namespace, see gemm_body.h.

#include <immintrin.h>

#include <utility>

#include "kernels/gemm/gemm_body.h"

namespace tessera {
namespace {

constexpr int kFoldLanes = 16;

/// Lanes by two products: what forms 0 and 1 share.
struct TwoProducts {
  static __m512 load(const float* a) {
    return _mm512_castsi512_ps(_mm512_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a))));
  }
  static __m512 load_rest(const float* a, std::int64_t) { return _mm512_set1_ps(*a); }
  static __mmask16 rest_lanes(std::int64_t) { return 0x5555; }
  /// Per 128-bit lane: two sums of a, two of b.
  static __m512 add_across(__m512 a, __m512 b) {
    return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xdd));
  }
};

template <class Fold, int kRows>
struct PixelLanes;

/// 16 channels in two vectors, which leave one finished pixel.
struct Wide : TwoProducts {
  static constexpr FoldForm kForm = kFoldForms[0];
  static constexpr int kJoined = 2;
  template <int kRows>
  using Lanes = RowLanes<VecAvx512, 1>;
  static __m512 join(const __m512* acc) { return add_across(acc[0], acc[1]); }
};

/// 8 channels; two pixels in a finished vector.
struct Pairs : TwoProducts {
  static constexpr FoldForm kForm = kFoldForms[1];
  static constexpr int kJoined = 2;
  static __m512 join(const __m512* acc) {
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    return _mm512_castpd_ps(_mm512_permutexvar_pd(order, _mm512_castps_pd(add_across(acc[0], acc[1]))));
  }
  template <int kPixel>
  static void store(float* dst, __mmask8 columns, __m512 joined) {
    _mm256_mask_storeu_ps(dst, columns, _mm512_extractf32x8_ps(joined, kPixel));
  }
  template <int kPixel>
  static __m512 insert(__m512 joined, __mmask8 columns, const float* src) {
    return _mm512_insertf32x8(joined, _mm256_maskz_loadu_ps(columns, src), kPixel);
  }
  template <int kRows>
  using Lanes = PixelLanes<Pairs, kRows>;
};

/// 4 channels by four products; four pixels in a finished vector.
struct Quads {
  static constexpr FoldForm kForm = kFoldForms[2];
  static constexpr int kJoined = 4;
  static __m512 load(const float* a) { return _mm512_broadcast_f32x4(_mm_loadu_ps(a)); }
  static __m512 load_rest(const float* a, std::int64_t n) {
    return _mm512_broadcast_f32x4(_mm_maskz_loadu_ps(static_cast<__mmask8>((1 << n) - 1), a));
  }
  static __mmask16 rest_lanes(std::int64_t n) { return static_cast<__mmask16>(((1 << n) - 1) * 0x1111); }
  static __m512 halves(__m512 a, __m512 b) { return _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)); }
  static __m512 join(const __m512* acc) {
    const __m512 ab = halves(acc[0], acc[1]), cd = halves(acc[2], acc[3]);
    // Per 128-bit lane one channel of the four pixels.
    const __m512 sums = _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_ps(order, sums);
  }
  template <int kPixel>
  static void store(float* dst, __mmask8 columns, __m512 joined) {
    _mm_mask_storeu_ps(dst, columns, _mm512_extractf32x4_ps(joined, kPixel));
  }
  template <int kPixel>
  static __m512 insert(__m512 joined, __mmask8 columns, const float* src) {
    return _mm512_insertf32x4(joined, _mm_maskz_loadu_ps(columns, src), kPixel);
  }
  template <int kRows>
  using Lanes = PixelLanes<Quads, kRows>;
};

/// Where the pixels of joined vectors lie, kRows in all.
template <class Fold, int kRows>
struct PixelLanes {
  static constexpr int kPixels = Fold::kJoined;
  __mmask8 columns;
  explicit PixelLanes(std::int64_t count) : columns(static_cast<__mmask8>((1 << count) - 1)) {}

  [[gnu::always_inline]] __m512 load(const float* src, std::int64_t stride, int vector, int) const {
    __m512 joined = _mm512_setzero_ps();
    over_pixels(vector, [&]<int kPixel>(int row) {
      joined = Fold::template insert<kPixel>(joined, columns, src + row * stride);
    });
    return joined;
  }
  [[gnu::always_inline]] void store(float* dst, std::int64_t stride, int vector, int, __m512 joined) const {
    over_pixels(vector,
                [&]<int kPixel>(int row) { Fold::template store<kPixel>(dst + row * stride, columns, joined); });
  }

 private:
  /// use.operator()<place in the vector>(row) for the pixels of a vector.
  template <class Use>
  [[gnu::always_inline]] static void over_pixels(int vector, const Use& use) {
    [&]<int... kPixel>(std::integer_sequence<int, kPixel...>) {
      ((vector * kPixels + kPixel < kRows ? use.template operator()<kPixel>(vector * kPixels + kPixel) : void()), ...);
    }
    (std::make_integer_sequence<int, kPixels>{});
  }
};

/// The parts of all rows' sums, Fold::kForm.vectors of each row.
template <class Fold, int kRows>
[[gnu::always_inline]] inline void folded_sums(__m512* acc, const GemmTile& t) {
  constexpr int kProducts = Fold::kForm.products, kVectors = Fold::kForm.vectors;
#pragma GCC unroll 32
  for (int i = 0; i < kRows * kVectors; ++i) acc[i] = _mm512_loadu_ps(t.start + i % kVectors * kFoldLanes);
  const float* b = t.b;
  for (std::int64_t s = 0; s < t.segments; ++s) {
    StridedRows<VecAvx512, kRows> rows(t, s);
    std::int64_t left = t.length;
    for (; left >= kProducts; left -= kProducts, b += kVectors * kFoldLanes) {
      __m512 bv[kVectors];
      for (int v = 0; v < kVectors; ++v) bv[v] = _mm512_loadu_ps(b + v * kFoldLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const __m512 a = Fold::load(rows.run(r));
        for (int v = 0; v < kVectors; ++v) acc[r * kVectors + v] = _mm512_fmadd_ps(a, bv[v], acc[r * kVectors + v]);
      }
      rows.advance(kProducts);
    }
    if (left == 0) continue;
    const __mmask16 lanes = Fold::rest_lanes(left);  // what lies behind the run may be infinite
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const __m512 a = Fold::load_rest(rows.run(r), left);
      for (int v = 0; v < kVectors; ++v) {
        __m512& sum = acc[r * kVectors + v];
        sum = _mm512_mask3_fmadd_ps(a, _mm512_loadu_ps(b + v * kFoldLanes), sum, lanes);
      }
    }
    b += kVectors * kFoldLanes;
  }
}

template <class Fold, int kRows>
void folded(const GemmTile& t) {
  constexpr int kSums = kRows * Fold::kForm.vectors, kJoined = (kSums + Fold::kJoined - 1) / Fold::kJoined;
  const typename Fold::template Lanes<kRows> lanes(t.columns);
  GemmTile at = t;
  for (; at.tiles > 0; --at.tiles) {
    __m512 acc[kJoined * Fold::kJoined], joined[kJoined][1];
    folded_sums<Fold, kRows>(acc, at);
#pragma GCC unroll 16
    for (int i = kSums; i < kJoined * Fold::kJoined; ++i) acc[i] = _mm512_setzero_ps();
#pragma GCC unroll 16
    for (int v = 0; v < kJoined; ++v) joined[v][0] = Fold::join(acc + v * Fold::kJoined);
    if (!finished_in_registers<VecAvx512>(joined, at, lanes)) {
#pragma GCC unroll 16
      for (int v = 0; v < kJoined; ++v) _mm512_storeu_ps(at.scratch + v * kFoldLanes, joined[v][0]);
      const GemmTile copy = at;  // `at` itself stays in registers
      finish<VecAvx512>(copy, kRows, Fold::kForm.columns);
    }
    at.offset += kRows * at.a_stride;
    at.dst += kRows * at.dst_stride;
    if (at.residual) at.residual += kRows * at.residual_stride;
  }
}

constexpr MicroKernel with_folded(MicroKernel kernel) {
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    ((kernel.folded[0][kRow] = folded<Wide, kRow + 1>), ...);
    ((kernel.folded[1][kRow] = folded<Pairs, kRow + 1>), ...);
    ((kernel.folded[2][kRow] = folded<Quads, kRow + 1>), ...);
  }
  (std::make_integer_sequence<int, 12>{});
  return kernel;
}

}  // namespace
}  // namespace tessera
