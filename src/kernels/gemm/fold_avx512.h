#pragma once
// Strips of few output channels, for AVX-512: lanes that have no channel take other products of the same sums.
//
//   8 channels, two products at once      b:    w[k][0] w[k+1][0] w[k][1] w[k+1][1] ... w[k][7] w[k+1][7]
//                                         a:    a[k]    a[k+1]    a[k]    a[k+1]    ... a[k]    a[k+1]      one load
//   4 channels, four: likewise            acc:  both halves of sum 0, both of sum 1, ...
//
// So a pixel takes half or a quarter of the multiply-adds and of the loads. In the end the parts of two pixels' (four
// pixels') sums are added across, which leaves those pixels' outputs side by side in one vector, as they lie in memory.
// Everything stands in an unnamed namespace, see gemm_body.h.

#include <immintrin.h>

#include <utility>

#include "kernels/gemm/gemm_body.h"

namespace tessera {
namespace {

/// 8 channels x 2 products, 2 pixels in a finished vector.
struct Pairs {
  static constexpr int kFold = 2;
  static __m512 load(const float* a) {
    return _mm512_castsi512_ps(_mm512_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a))));
  }
  static __m512 load_rest(const float* a, std::int64_t) { return _mm512_set1_ps(*a); }
  static __mmask16 rest_lanes(std::int64_t) { return 0x5555; }
  static __m512 join(const __m512* acc) {
    // Per 128-bit lane: two sums of the first pixel, two of the second.
    const __m512 sums = _mm512_add_ps(_mm512_shuffle_ps(acc[0], acc[1], 0x88), _mm512_shuffle_ps(acc[0], acc[1], 0xdd));
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    return _mm512_castpd_ps(_mm512_permutexvar_pd(order, _mm512_castps_pd(sums)));
  }
  template <int kPixel>
  static void store(float* dst, __mmask8 columns, __m512 joined) {
    _mm256_mask_storeu_ps(dst, columns, _mm512_extractf32x8_ps(joined, kPixel));
  }
  template <int kPixel>
  static __m512 insert(__m512 joined, __mmask8 columns, const float* src) {
    return _mm512_insertf32x8(joined, _mm256_maskz_loadu_ps(columns, src), kPixel);
  }
};

/// 4 channels x 4 products, 4 pixels in a finished vector.
struct Quads {
  static constexpr int kFold = 4;
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
};

/// Where the pixels of joined vectors lie, kRows in all.
template <class Fold, int kRows>
struct FoldedLanes {
  static constexpr int kFold = Fold::kFold, kWidth = 16 / kFold;
  __mmask8 columns;
  explicit FoldedLanes(std::int64_t count) : columns(static_cast<__mmask8>((1 << count) - 1)) {}

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
      ((vector * kFold + kPixel < kRows ? use.template operator()<kPixel>(vector * kFold + kPixel) : void()), ...);
    }
    (std::make_integer_sequence<int, kFold>{});
  }
};

template <class V, class Fold, int kRows>
[[gnu::always_inline]] inline void folded_sums(__m512* acc, const GemmTile& t) {
  const __m512 start = _mm512_loadu_ps(t.start);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) acc[r] = start;
  const float* b = t.b;
  for (std::int64_t s = 0; s < t.segments; ++s) {
    StridedRows<V, kRows> rows(t, s);
    std::int64_t left = t.length;
    for (; left >= Fold::kFold; left -= Fold::kFold, b += V::kLanes) {
      const __m512 bv = _mm512_loadu_ps(b);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) acc[r] = _mm512_fmadd_ps(Fold::load(rows.run(r)), bv, acc[r]);
      rows.advance(Fold::kFold);
    }
    if (left == 0) continue;
    const __m512 bv = _mm512_loadu_ps(b);
    const __mmask16 lanes = Fold::rest_lanes(left);  // what lies behind the run may be infinite
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      acc[r] = _mm512_mask3_fmadd_ps(Fold::load_rest(rows.run(r), left), bv, acc[r], lanes);
    }
    b += V::kLanes;
  }
}

template <class V, class Fold, int kRows>
void folded(const GemmTile& t) {
  constexpr int kFold = Fold::kFold, kWidth = V::kLanes / kFold, kVectors = (kRows + kFold - 1) / kFold;
  const FoldedLanes<Fold, kRows> lanes(t.columns);
  GemmTile at = t;
  for (; at.tiles > 0; --at.tiles) {
    __m512 acc[kVectors * kFold], joined[kVectors][1];
    folded_sums<V, Fold, kRows>(acc, at);
#pragma GCC unroll 16
    for (int r = kRows; r < kVectors * kFold; ++r) acc[r] = _mm512_setzero_ps();
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) joined[v][0] = Fold::join(acc + v * kFold);
    if (!finished_in_registers<V>(joined, at, lanes)) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) _mm512_storeu_ps(at.scratch + v * V::kLanes, joined[v][0]);
      const GemmTile copy = at;
      finish<V>(copy, kRows, kWidth);
    }
    at.offset += kRows * at.a_stride;
    at.dst += kRows * at.dst_stride;
    if (at.residual) at.residual += kRows * at.residual_stride;
  }
}

template <class V>
constexpr MicroKernel with_folded(MicroKernel kernel) {
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    ((kernel.folded[0][kRow] = folded<V, Pairs, kRow + 1>), ...);
    ((kernel.folded[1][kRow] = folded<V, Quads, kRow + 1>), ...);
  }
  (std::make_integer_sequence<int, V::kRows>{});
  return kernel;
}

}  // namespace
}  // namespace tessera
