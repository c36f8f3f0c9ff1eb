// AVX-512 forms over dense memory: 16, 32 or 64 words per register, comparisons into mask registers; masked loads where
// less than one register is there.

#include <immintrin.h>

#include "boxdecode/scan/scanner.h"
#include "boxdecode/scan/scanner_body.h"

#if defined(TESSERA_X86)

namespace tessera::boxdecode {
namespace {

/// What does not depend on the width of the word.
template <int kBits>
struct Register {
  static constexpr int kCount = 512 / kBits, kBytes = kBits / 8;
  using Vec = __m512i;
  using Hits = std::uint64_t;
  static Vec load(const std::byte* at) { return _mm512_loadu_si512(at); }
  static Vec load_few(const std::byte* at, int n) { return _mm512_maskz_loadu_epi8(low_bits(n * kBytes), at); }
  static Hits either(Hits a, Hits b) { return a | b; }
  static bool any(Hits a) { return a != 0; }
  static std::uint64_t bits(Hits a) { return a; }
};

template <int kBits>
struct Words;

template <>
struct Words<32> : Register<32> {
  static Vec splat(std::uint32_t w) { return _mm512_set1_epi32(static_cast<int>(w)); }
  static Hits inside(Vec w, Vec lo, Vec span) { return _mm512_cmple_epu32_mask(_mm512_sub_epi32(w, lo), span); }
  static Hits equal(Vec a, Vec b) { return _mm512_cmpeq_epi32_mask(a, b); }
  static Vec keys(Vec w) {
    const Vec flipped = _mm512_xor_si512(w, _mm512_srli_epi32(_mm512_srai_epi32(w, 31), 1));
    return _mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask(w, splat(0x80000000u)), flipped);
  }
  static Vec max(Vec a, Vec b) { return _mm512_max_epi32(a, b); }
  static Vec greatest(Vec a) { return _mm512_set1_epi32(_mm512_reduce_max_epi32(a)); }
  static Vec first_or(Vec a, int n, Vec b) { return _mm512_mask_mov_epi32(b, static_cast<__mmask16>(low_bits(n)), a); }
};

template <>
struct Words<16> : Register<16> {
  static Vec splat(std::uint32_t w) { return _mm512_set1_epi16(static_cast<short>(w)); }
  static Hits inside(Vec w, Vec lo, Vec span) { return _mm512_cmple_epu16_mask(_mm512_sub_epi16(w, lo), span); }
  static Hits equal(Vec a, Vec b) { return _mm512_cmpeq_epi16_mask(a, b); }
  static Vec keys(Vec w) {
    const Vec flipped = _mm512_xor_si512(w, _mm512_srli_epi16(_mm512_srai_epi16(w, 15), 1));
    return _mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask(w, splat(0x8000u)), flipped);
  }
  static Vec max(Vec a, Vec b) { return _mm512_max_epi16(a, b); }
  // One instruction finds the least unsigned word of eight, so the order is turned round and back.
  static Vec greatest(Vec a) {
    const Vec turned = _mm512_xor_si512(a, splat(0x7FFFu));
    const __m256i half = _mm256_min_epu16(_mm512_castsi512_si256(turned), _mm512_extracti64x4_epi64(turned, 1));
    const __m128i quarter = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return _mm512_xor_si512(_mm512_broadcastw_epi16(_mm_minpos_epu16(quarter)), splat(0x7FFFu));
  }
  static Vec first_or(Vec a, int n, Vec b) { return _mm512_mask_mov_epi16(b, static_cast<__mmask32>(low_bits(n)), a); }
};

template <>
struct Words<8> : Register<8> {
  static Vec splat(std::uint32_t w) { return _mm512_set1_epi8(static_cast<char>(w)); }
  static Hits inside(Vec w, Vec lo, Vec span) { return _mm512_cmple_epu8_mask(_mm512_sub_epi8(w, lo), span); }
  static Hits equal(Vec a, Vec b) { return _mm512_cmpeq_epi8_mask(a, b); }
  static Vec keys(Vec w) { return w; }
  static Vec max(Vec a, Vec b) { return _mm512_max_epi8(a, b); }
  static Vec greatest(Vec a) {
    const __m256i half = _mm256_max_epi8(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    const Vec wide = Words<16>::greatest(_mm512_cvtepi8_epi16(half));  // sign extension keeps the order
    return _mm512_broadcastb_epi8(_mm512_castsi512_si128(wide));
  }
  static Vec first_or(Vec a, int n, Vec b) { return _mm512_mask_mov_epi8(b, low_bits(n), a); }
};

// The four bytes ending with each element are gathered and compared in their top bits, so that narrow words wrap as
// their own width does.
template <int kBits>
std::uint64_t sparse_gate(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval) {
  using W = Words<32>;
  const std::byte* four = first + kBits / 8 - 4;
  const __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i offsets = _mm512_mullo_epi32(index, _mm512_set1_epi32(static_cast<int>(step)));
  const __m512i lo = W::splat(interval.lo << (32 - kBits)), span = W::splat(interval.span << (32 - kBits));
  std::uint64_t open = 0;
  for (int i = 0; i < count; i += 16) {
    const std::uint64_t lanes = low_bits(count - i < 16 ? count - i : 16);
    __m512i words =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), static_cast<__mmask16>(lanes), offsets, four + i * step, 1);
    if constexpr (kBits < 32) words = _mm512_and_si512(words, W::splat(~0u << (32 - kBits)));
    open |= (W::inside(words, lo, span) & lanes) << i;
  }
  return open;
}

template <int kBits>
constexpr ElementLoops kLoops = {sparse_gate<kBits>, dense_gate<Words<kBits>>, first_open<Words<kBits>>,
                                 first_max<Words<kBits>>};

}  // namespace

constinit const Scanner kAvx512Scanner = {"avx512",  Isa::avx512,         kLoops<32>,       kLoops<16>,
                                          kLoops<8>, &kAvx512Bf16Stripes, &kAvx512S8Stripes};

}  // namespace tessera::boxdecode

#endif
