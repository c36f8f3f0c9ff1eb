// Two pixels per step: their left and right taps are 6 neighbouring bytes, so one 8-byte load fetches both and no
// gather is needed. About 13 instructions for 2 pixels.

#include <immintrin.h>

#include "image/resize_rows_variants.h"

namespace tessera::image_internal {
namespace {

// top + (bottom - top) * weight
__m256 lerp(__m256 top, __m256 bottom, __m256 weight) {
  return _mm256_add_ps(top, _mm256_mul_ps(_mm256_sub_ps(bottom, top), weight));
}

}  // namespace

void columns_avx2(const std::uint8_t* src, const Columns& table, float* dst) {
  constexpr char kZero = -128;
  const bool swap = table.swap_red_blue;
  const char r = swap ? 2 : 0, b = swap ? 0 : 2;
  // Left taps are bytes 0 to 2 of each half, right taps bytes 3 to 5; the fourth lane stays zero.
  const __m128i left = _mm_setr_epi8(r, 1, b, kZero, static_cast<char>(8 + r), 9, static_cast<char>(8 + b), kZero,
                                     kZero, kZero, kZero, kZero, kZero, kZero, kZero, kZero);
  const __m128i right = _mm_add_epi8(left, _mm_setr_epi8(3, 3, 3, 0, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  int x = 0;
  for (; x + 2 <= table.wide_columns; x += 2) {
    const std::int32_t* offset = table.offset + x;
    const __m128i bytes = _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(src + offset[0])),
                                             _mm_loadl_epi64(reinterpret_cast<const __m128i*>(src + offset[1])));
    const __m256 a = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes, left)));
    const __m256 c = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes, right)));
    const __m256 v = lerp(a, c, _mm256_loadu_ps(table.weight4 + 4 * x));
    // The fourth lane of each store is overwritten by the next one; the last falls on the spare element.
    _mm_storeu_ps(dst + 3 * x, _mm256_castps256_ps128(v));
    _mm_storeu_ps(dst + 3 * x + 3, _mm256_extractf128_ps(v, 1));
  }
  columns_reference(src, table, x, dst);
}

void blend_f32_avx2(const float* top, const float* bottom, float weight, const Affine& affine, int width, float* dst,
                    std::int64_t stride) {
  const __m256 w = _mm256_set1_ps(weight);
  int x = 0;
  if (stride == 3) {
    const float s0 = affine.scale[0], s1 = affine.scale[1], s2 = affine.scale[2];
    const float h0 = affine.shift[0], h1 = affine.shift[1], h2 = affine.shift[2];
    const __m256 scale[3] = {_mm256_setr_ps(s0, s1, s2, s0, s1, s2, s0, s1),
                             _mm256_setr_ps(s2, s0, s1, s2, s0, s1, s2, s0),
                             _mm256_setr_ps(s1, s2, s0, s1, s2, s0, s1, s2)};
    const __m256 shift[3] = {_mm256_setr_ps(h0, h1, h2, h0, h1, h2, h0, h1),
                             _mm256_setr_ps(h2, h0, h1, h2, h0, h1, h2, h0),
                             _mm256_setr_ps(h1, h2, h0, h1, h2, h0, h1, h2)};
    for (; x + 8 <= width; x += 8) {  // 24 floats: the channel pattern repeats
      for (int i = 0; i < 3; ++i) {
        const int at = 3 * x + 8 * i;
        const __m256 v = lerp(_mm256_loadu_ps(top + at), _mm256_loadu_ps(bottom + at), w);
        _mm256_storeu_ps(dst + at, _mm256_add_ps(_mm256_mul_ps(v, scale[i]), shift[i]));
      }
    }
  } else {
    const __m128 scale = _mm_setr_ps(affine.scale[0], affine.scale[1], affine.scale[2], 0);
    const __m128 shift = _mm_setr_ps(affine.shift[0], affine.shift[1], affine.shift[2], 0);
    const __m128i three = _mm_setr_epi32(-1, -1, -1, 0);
    for (; x < width; ++x) {
      const __m128 a = _mm_loadu_ps(top + 3 * x), b = _mm_loadu_ps(bottom + 3 * x);
      const __m128 v = _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(b, a), _mm256_castps256_ps128(w)));
      _mm_maskstore_ps(dst + x * stride, three, _mm_add_ps(_mm_mul_ps(v, scale), shift));
    }
  }
  blend_f32_reference(top, bottom, weight, affine, x, width, dst, stride);
}

void blend_u8_avx2(const float* top, const float* bottom, float weight, int width, std::uint8_t* dst,
                   std::int64_t stride) {
  const __m256 w = _mm256_set1_ps(weight);
  int x = 0;
  if (stride == 3) {
    for (; x + 8 <= width; x += 8) {
      for (int i = 0; i < 3; ++i) {
        const int at = 3 * x + 8 * i;
        const __m256 v = lerp(_mm256_loadu_ps(top + at), _mm256_loadu_ps(bottom + at), w);
        const __m256i s32 = _mm256_cvtps_epi32(v);  // half to even
        const __m128i s16 = _mm_packs_epi32(_mm256_castsi256_si128(s32), _mm256_extracti128_si256(s32, 1));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(dst + at), _mm_packus_epi16(s16, s16));
      }
    }
  }
  blend_u8_reference(top, bottom, weight, x, width, dst, stride);
}

}  // namespace tessera::image_internal
