// AVX2 forms. Gathers fetch the four bytes ending with an element, so that narrow elements sit in the top bits and no
// byte after them is touched.

#include <immintrin.h>

#include "boxdecode/scan/scanner.h"

#if defined(TESSERA_X86)

namespace tessera::boxdecode {
namespace {

// One word per 32-bit lane, in its low kBits; key order as signed integers in `signed_key`.
template <int kBits>
std::uint32_t inside_mask(__m256i words, RawInterval interval) {
  constexpr int kWordMask = kBits == 32 ? -1 : (1 << (kBits % 32)) - 1;
  const __m256i mask = _mm256_set1_epi32(kWordMask);
  const __m256i offset =
      _mm256_and_si256(_mm256_sub_epi32(words, _mm256_set1_epi32(static_cast<int>(interval.lo))), mask);
  const __m256i span = _mm256_set1_epi32(static_cast<int>(interval.span) & kWordMask);
  const __m256i in = _mm256_cmpeq_epi32(_mm256_min_epu32(offset, span), offset);  // offset <= span, unsigned
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(in)));
}

std::uint32_t word_at(const std::byte* element_end, int bits) {
  std::uint32_t four = 0;
  __builtin_memcpy(&four, element_end - 4, 4);
  return four >> (32 - bits);
}

bool inside_one(std::uint32_t word, RawInterval interval, int bits) {
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  return ((word - interval.lo) & mask) <= (interval.span & mask);
}

template <int kBits>
std::uint64_t sparse_gate(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval) {
  const std::byte* end = first + kBits / 8;
  std::uint64_t mask = 0;
  int i = 0;
  const __m256i lanes =
      _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(static_cast<int>(step)));
  for (; i + 8 <= count; i += 8) {
    __m256i words = _mm256_i32gather_epi32(reinterpret_cast<const int*>(end - 4 + i * step), lanes, 1);
    if constexpr (kBits < 32) words = _mm256_srli_epi32(words, 32 - kBits);
    mask |= std::uint64_t{inside_mask<kBits>(words, interval)} << i;
  }
  for (; i < count; ++i) {
    mask |= std::uint64_t{inside_one(word_at(end + i * step, kBits), interval, kBits)} << i;
  }
  return mask;
}

template <int kBits>
__m256i load_words(const std::byte* at) {  // 8 adjacent elements
  if constexpr (kBits == 32) return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  if constexpr (kBits == 16) return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at)));
}

template <int kBits>
std::uint32_t load_one(const std::byte* at) {
  std::uint32_t word = 0;
  __builtin_memcpy(&word, at, kBits / 8);
  return word;
}

template <int kBits>
std::uint64_t dense_gate(const std::byte* first, int count, RawInterval interval) {
  std::uint64_t mask = 0;
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    mask |= std::uint64_t{inside_mask<kBits>(load_words<kBits>(first + i * (kBits / 8)), interval)} << i;
  }
  for (; i < count; ++i) {
    mask |= std::uint64_t{inside_one(load_one<kBits>(first + i * (kBits / 8)), interval, kBits)} << i;
  }
  return mask;
}

// The key as a signed integer of 32 bits: floats keep their bits when positive and have the others flipped when
// negative; -0 becomes 0 (it is the only negative word that maps to the lowest negative key, -1).
template <int kBits>
__m256i signed_key(__m256i words) {
  if constexpr (kBits == 8) return _mm256_srai_epi32(_mm256_slli_epi32(words, 24), 24);  // q itself
  if constexpr (kBits == 16) words = _mm256_slli_epi32(words, 16);                       // bf16 is the top of an f32
  const __m256i negative = _mm256_srai_epi32(words, 31);
  const __m256i flipped = _mm256_xor_si256(words, _mm256_srli_epi32(negative, 1));
  const __m256i minus_zero = _mm256_cmpeq_epi32(words, _mm256_set1_epi32(static_cast<int>(0x80000000u)));
  return _mm256_andnot_si256(minus_zero, flipped);
}

template <int kBits>
std::int32_t signed_key_one(std::uint32_t word) {
  return _mm256_extract_epi32(signed_key<kBits>(_mm256_set1_epi32(static_cast<int>(word))), 0);
}

int greatest(__m256i keys) {
  __m128i m = _mm_max_epi32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256(keys, 1));
  m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4E));
  m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0xB1));
  return _mm_cvtsi128_si32(m);
}

// Two passes: the greatest key, then its first place.
template <int kBits>
int first_max(const std::byte* first, int count) {
  constexpr int kBytes = kBits / 8;
  const int whole = count & ~7;
  __m256i best = _mm256_set1_epi32(static_cast<int>(0x80000000u));
  for (int i = 0; i < whole; i += 8)
    best = _mm256_max_epi32(best, signed_key<kBits>(load_words<kBits>(first + i * kBytes)));
  int top = greatest(best);
  int tail_index = -1;
  for (int i = whole; i < count; ++i) {
    const std::int32_t k = signed_key_one<kBits>(load_one<kBits>(first + i * kBytes));
    if (k > top) {
      top = k;
      tail_index = i;
    }
  }
  if (tail_index >= 0) return tail_index;
  for (int i = 0; i < whole; i += 8) {
    const __m256i equal =
        _mm256_cmpeq_epi32(signed_key<kBits>(load_words<kBits>(first + i * kBytes)), _mm256_set1_epi32(top));
    const auto mask = static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
    if (mask != 0) return i + __builtin_ctz(mask);
  }
  return 0;  // no key above the lowest one: class 0
}

template <int kBits>
constexpr ElementLoops kLoops = {sparse_gate<kBits>, dense_gate<kBits>, first_max<kBits>};

}  // namespace

constinit const Scanner kAvx2Scanner = {"avx2",    Isa::avx2,           kLoops<32>,       kLoops<16>,
                                        kLoops<8>, &kScalarBf16Stripes, &kScalarS8Stripes};

}  // namespace tessera::boxdecode

#endif
