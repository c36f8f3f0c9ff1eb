// AVX2 forms over dense memory: 8, 16 or 32 words per register. There is no unsigned compare: a <= b is min(a, b) == a.
// Gathers fetch the four bytes ending with an element, so that narrow elements sit in the top bits and no byte after
// them is touched.

#include <immintrin.h>

#include "boxdecode/scan/scanner.h"
#include "boxdecode/scan/scanner_body.h"

#if defined(TESSERA_X86)

namespace tessera::boxdecode {
namespace {

__m256i load_register(const std::byte* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }

__m256i load_bytes(const std::byte* at, int n) {
  alignas(32) std::byte buffer[32] = {};
  __builtin_memcpy(buffer, at, static_cast<std::size_t>(n));
  return load_register(buffer);
}

/// What does not depend on the width of the word.
template <int kBits>
struct Register {
  static constexpr int kCount = 256 / kBits, kBytes = kBits / 8;
  using Vec = __m256i;
  using Hits = __m256i;
  static Vec load(const std::byte* at) { return load_register(at); }
  static Vec load_few(const std::byte* at, int n) { return load_bytes(at, n * kBytes); }
  static Hits either(Hits a, Hits b) { return _mm256_or_si256(a, b); }
  static bool any(Hits a) { return _mm256_testz_si256(a, a) == 0; }
};

template <int kBits>
struct Words;

template <>
struct Words<32> : Register<32> {
  static Vec splat(std::uint32_t w) { return _mm256_set1_epi32(static_cast<int>(w)); }
  static Hits equal(Vec a, Vec b) { return _mm256_cmpeq_epi32(a, b); }
  static Hits inside(Vec w, Vec lo, Vec span) {
    const Vec distance = _mm256_sub_epi32(w, lo);
    return equal(_mm256_min_epu32(distance, span), distance);
  }
  static std::uint64_t bits(Hits a) { return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(a))); }
  static Vec keys(Vec w) {
    const Vec flipped = _mm256_xor_si256(w, _mm256_srli_epi32(_mm256_srai_epi32(w, 31), 1));
    return _mm256_andnot_si256(equal(w, splat(0x80000000u)), flipped);
  }
  static Vec max(Vec a, Vec b) { return _mm256_max_epi32(a, b); }
  static Vec greatest(Vec a) {
    a = max(a, _mm256_permute2x128_si256(a, a, 1));
    a = max(a, _mm256_shuffle_epi32(a, 0x4E));
    return max(a, _mm256_shuffle_epi32(a, 0xB1));
  }
  static Vec first_or(Vec a, int n, Vec b) {
    const Vec place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi32(_mm256_set1_epi32(n), place));
  }
};

template <>
struct Words<16> : Register<16> {
  static Vec splat(std::uint32_t w) { return _mm256_set1_epi16(static_cast<short>(w)); }
  static Hits equal(Vec a, Vec b) { return _mm256_cmpeq_epi16(a, b); }
  static Hits inside(Vec w, Vec lo, Vec span) {
    const Vec distance = _mm256_sub_epi16(w, lo);
    return equal(_mm256_min_epu16(distance, span), distance);
  }
  static std::uint64_t bits(Hits a) {
    return static_cast<unsigned>(
        _mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1))));
  }
  static Vec keys(Vec w) {
    const Vec flipped = _mm256_xor_si256(w, _mm256_srli_epi16(_mm256_srai_epi16(w, 15), 1));
    return _mm256_andnot_si256(equal(w, splat(0x8000u)), flipped);
  }
  static Vec max(Vec a, Vec b) { return _mm256_max_epi16(a, b); }
  // One instruction finds the least unsigned word, so the order is turned round and back.
  static Vec greatest(Vec a) {
    const Vec turned = _mm256_xor_si256(a, splat(0x7FFFu));
    const __m128i half = _mm_min_epu16(_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
    return _mm256_xor_si256(_mm256_broadcastw_epi16(_mm_minpos_epu16(half)), splat(0x7FFFu));
  }
  static Vec first_or(Vec a, int n, Vec b) {
    const Vec place = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi16(_mm256_set1_epi16(static_cast<short>(n)), place));
  }
};

template <>
struct Words<8> : Register<8> {
  static Vec splat(std::uint32_t w) { return _mm256_set1_epi8(static_cast<char>(w)); }
  static Hits equal(Vec a, Vec b) { return _mm256_cmpeq_epi8(a, b); }
  static Hits inside(Vec w, Vec lo, Vec span) {
    const Vec distance = _mm256_sub_epi8(w, lo);
    return equal(_mm256_min_epu8(distance, span), distance);
  }
  static std::uint64_t bits(Hits a) { return static_cast<unsigned>(_mm256_movemask_epi8(a)); }
  static Vec keys(Vec w) { return w; }
  static Vec max(Vec a, Vec b) { return _mm256_max_epi8(a, b); }
  // As above; the least byte of each word first, which clears the other one: min(b, 0) = 0.
  static Vec greatest(Vec a) {
    const Vec turned = _mm256_xor_si256(a, splat(0x7Fu));
    __m128i half = _mm_min_epu8(_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
    half = _mm_minpos_epu16(_mm_min_epu8(half, _mm_srli_epi16(half, 8)));
    return _mm256_xor_si256(_mm256_broadcastb_epi8(half), splat(0x7Fu));
  }
  static Vec first_or(Vec a, int n, Vec b) {
    const Vec place = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                       23, 24, 25, 26, 27, 28, 29, 30, 31);
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(n)), place));
  }
};

// Words are compared in the top bits of their four bytes, so that narrow ones wrap as their own width does.
template <int kBits>
struct TopBits {
  explicit TopBits(RawInterval interval)
      : lo(interval.lo << (32 - kBits)), span(interval.span << (32 - kBits)), mask(~0u << (32 - kBits)) {}
  std::uint32_t lo, span, mask;
};

template <int kBits>
std::uint64_t sparse_gate(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval) {
  using W = Words<32>;
  const TopBits<kBits> top(interval);
  const std::byte* four = first + kBits / 8 - 4;  // the four bytes that end with the element
  const __m256i offsets =
      _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(static_cast<int>(step)));
  std::uint64_t open = 0;
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i words = _mm256_i32gather_epi32(reinterpret_cast<const int*>(four + i * step), offsets, 1);
    const __m256i in = W::inside(_mm256_and_si256(words, W::splat(top.mask)), W::splat(top.lo), W::splat(top.span));
    open |= W::bits(in) << i;
  }
  for (; i < count; ++i) {
    std::uint32_t word = 0;
    __builtin_memcpy(&word, four + i * step, 4);
    open |= std::uint64_t{(word & top.mask) - top.lo <= top.span} << i;
  }
  return open;
}

template <int kBits>
constexpr ElementLoops kLoops = {sparse_gate<kBits>, dense_gate<Words<kBits>>, first_open<Words<kBits>>,
                                 first_max<Words<kBits>>};

}  // namespace

constinit const Scanner kAvx2Scanner = {"avx2",    Isa::avx2,         kLoops<32>,     kLoops<16>,
                                        kLoops<8>, &kAvx2Bf16Stripes, &kAvx2S8Stripes};

}  // namespace tessera::boxdecode

#endif
