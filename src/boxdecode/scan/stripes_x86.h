#pragma once
// One group of a blocked tensor on x86, for the AVX2 and the AVX-512 file: a group fills no wider register than 16
// bytes (Int8) or two of them (BF16). As scanner_body.h: each file gets its own copy.

#include <immintrin.h>

#include "boxdecode/scan/stripes_body.h"

namespace tessera::boxdecode {
namespace {

inline __m128i load_lanes(const std::byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

/// All bits in the bytes whose lane is set.
inline __m128i lane_bytes(LaneMask lanes) {
  const __m128i spread = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const __m128i bit = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201u));
  const __m128i mine = _mm_shuffle_epi8(_mm_set1_epi16(static_cast<short>(lanes)), spread);
  return _mm_cmpeq_epi8(_mm_and_si128(mine, bit), bit);
}
inline __m128i without(__m128i lanes) { return _mm_xor_si128(lanes, _mm_set1_epi8(-1)); }

/// One instruction finds the least unsigned word of eight. So keys are turned round: the greatest becomes the least,
/// and lanes that do not count become all ones (key 0).
struct S8Group {
  static constexpr int kBytes = 16;

  static StripeBest best(const std::byte* group, LaneMask lanes) {
    const __m128i turned =
        _mm_or_si128(_mm_xor_si128(load_lanes(group), _mm_set1_epi8(0x7F)), without(lane_bytes(lanes)));
    // The least byte of each word first, which clears the other one: min(b, 0) = 0.
    const __m128i pairs = _mm_min_epu8(turned, _mm_srli_epi16(turned, 8));
    const int least = _mm_cvtsi128_si32(_mm_minpos_epu16(pairs)) & 0xFF;
    const __m128i equal = _mm_cmpeq_epi8(turned, _mm_set1_epi8(static_cast<char>(least)));
    const unsigned hit = static_cast<unsigned>(_mm_movemask_epi8(equal)) & lanes;
    return {0xFFu - static_cast<unsigned>(least), __builtin_ctz(hit)};
  }
  static LaneMask lane_gate(const std::byte* group, RawInterval interval, LaneMask lanes) {
    const __m128i distance = _mm_sub_epi8(load_lanes(group), _mm_set1_epi8(static_cast<char>(interval.lo)));
    const __m128i span = _mm_set1_epi8(static_cast<char>(interval.span));
    const __m128i in = _mm_cmpeq_epi8(_mm_min_epu8(distance, span), distance);
    return static_cast<unsigned>(_mm_movemask_epi8(in)) & lanes;
  }
};

struct Bf16Group {
  static constexpr int kBytes = 32;

  static __m128i turned_keys(__m128i words) {
    const __m128i flipped = _mm_xor_si128(words, _mm_srli_epi16(_mm_srai_epi16(words, 15), 1));
    const __m128i minus_zero = _mm_cmpeq_epi16(words, _mm_set1_epi16(static_cast<short>(0x8000)));
    return _mm_xor_si128(_mm_andnot_si128(minus_zero, flipped), _mm_set1_epi16(0x7FFF));
  }
  static StripeBest best(const std::byte* group, LaneMask lanes) {
    const __m128i low = load_lanes(group), high = load_lanes(group + 16), off = without(lane_bytes(lanes));
    const __m128i a = _mm_or_si128(turned_keys(_mm_unpacklo_epi8(low, high)), _mm_unpacklo_epi8(off, off));
    const __m128i b = _mm_or_si128(turned_keys(_mm_unpackhi_epi8(low, high)), _mm_unpackhi_epi8(off, off));
    const int least = _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu16(a, b))) & 0xFFFF;
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(least));
    const __m128i equal = _mm_packs_epi16(_mm_cmpeq_epi16(a, wanted), _mm_cmpeq_epi16(b, wanted));
    const unsigned hit = static_cast<unsigned>(_mm_movemask_epi8(equal)) & lanes;
    return {0xFFFFu - static_cast<unsigned>(least), __builtin_ctz(hit)};
  }
  static __m128i inside(__m128i words, RawInterval interval) {
    const __m128i distance = _mm_sub_epi16(words, _mm_set1_epi16(static_cast<short>(interval.lo)));
    const __m128i span = _mm_set1_epi16(static_cast<short>(interval.span));
    return _mm_cmpeq_epi16(_mm_min_epu16(distance, span), distance);
  }
  static LaneMask lane_gate(const std::byte* group, RawInterval interval, LaneMask lanes) {
    const __m128i low = load_lanes(group), high = load_lanes(group + 16);
    const __m128i in =
        _mm_packs_epi16(inside(_mm_unpacklo_epi8(low, high), interval), inside(_mm_unpackhi_epi8(low, high), interval));
    return static_cast<unsigned>(_mm_movemask_epi8(in)) & lanes;
  }
};

}  // namespace
}  // namespace tessera::boxdecode
