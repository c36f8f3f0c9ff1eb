// AVX-512 forms: 16 gathered words, or 16 / 32 / 64 adjacent ones, per compare; masked loads for the tails.

#include <immintrin.h>

#include "boxdecode/scan/scanner.h"

#if defined(TESSERA_X86)

namespace tessera::boxdecode {
namespace {

// `n` adjacent words of kBits in one register; the tail reads nothing beyond and yields zeros.
template <int kBits>
struct Lanes;

template <>
struct Lanes<32> {
  static constexpr int kCount = 16;
  static __m512i load(const std::byte* at, std::uint64_t mask) {
    return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask), at);
  }
  static __m512i splat(std::uint32_t v) { return _mm512_set1_epi32(static_cast<int>(v)); }
  static std::uint64_t inside(__m512i w, __m512i lo, __m512i span, std::uint64_t mask) {
    return _mm512_mask_cmple_epu32_mask(static_cast<__mmask16>(mask), _mm512_sub_epi32(w, lo), span);
  }
  // Key as a signed integer: see scanner_avx2.cc.
  static __m512i signed_key(__m512i w) {
    const __m512i flipped = _mm512_xor_si512(w, _mm512_srli_epi32(_mm512_srai_epi32(w, 31), 1));
    return _mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask(w, splat(0x80000000u)), flipped);
  }
  static __m512i keep_or_lowest(__m512i k, std::uint64_t mask) {
    return _mm512_mask_mov_epi32(splat(0x80000000u), static_cast<__mmask16>(mask), k);
  }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epi32(a, b); }
  static std::uint64_t equal(__m512i a, __m512i b, std::uint64_t mask) {
    return _mm512_mask_cmpeq_epi32_mask(static_cast<__mmask16>(mask), a, b);
  }
  static __m512i greatest(__m512i k) { return _mm512_set1_epi32(_mm512_reduce_max_epi32(k)); }
};

template <>
struct Lanes<16> {
  static constexpr int kCount = 32;
  static __m512i load(const std::byte* at, std::uint64_t mask) {
    return _mm512_maskz_loadu_epi16(static_cast<__mmask32>(mask), at);
  }
  static __m512i splat(std::uint32_t v) { return _mm512_set1_epi16(static_cast<short>(v)); }
  static std::uint64_t inside(__m512i w, __m512i lo, __m512i span, std::uint64_t mask) {
    return _mm512_mask_cmple_epu16_mask(static_cast<__mmask32>(mask), _mm512_sub_epi16(w, lo), span);
  }
  static __m512i signed_key(__m512i w) {
    const __m512i flipped = _mm512_xor_si512(w, _mm512_srli_epi16(_mm512_srai_epi16(w, 15), 1));
    return _mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask(w, splat(0x8000u)), flipped);
  }
  static __m512i keep_or_lowest(__m512i k, std::uint64_t mask) {
    return _mm512_mask_mov_epi16(splat(0x8000u), static_cast<__mmask32>(mask), k);
  }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epi16(a, b); }
  static std::uint64_t equal(__m512i a, __m512i b, std::uint64_t mask) {
    return _mm512_mask_cmpeq_epi16_mask(static_cast<__mmask32>(mask), a, b);
  }
  static __m512i greatest(__m512i k) {
    // Widen both halves: sign extension keeps the order.
    const __m512i low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(k));
    const __m512i high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(k, 1));
    return _mm512_set1_epi16(static_cast<short>(_mm512_reduce_max_epi32(_mm512_max_epi32(low, high))));
  }
};

template <>
struct Lanes<8> {
  static constexpr int kCount = 64;
  static __m512i load(const std::byte* at, std::uint64_t mask) { return _mm512_maskz_loadu_epi8(mask, at); }
  static __m512i splat(std::uint32_t v) { return _mm512_set1_epi8(static_cast<char>(v)); }
  static std::uint64_t inside(__m512i w, __m512i lo, __m512i span, std::uint64_t mask) {
    return _mm512_mask_cmple_epu8_mask(mask, _mm512_sub_epi8(w, lo), span);
  }
  static __m512i signed_key(__m512i w) { return w; }
  static __m512i keep_or_lowest(__m512i k, std::uint64_t mask) { return _mm512_mask_mov_epi8(splat(0x80u), mask, k); }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epi8(a, b); }
  static std::uint64_t equal(__m512i a, __m512i b, std::uint64_t mask) {
    return _mm512_mask_cmpeq_epi8_mask(mask, a, b);
  }
  static __m512i greatest(__m512i k) {
    const __m256i half = _mm256_max_epi8(_mm512_castsi512_si256(k), _mm512_extracti64x4_epi64(k, 1));
    const __m512i wide = _mm512_cvtepi8_epi16(half);
    return _mm512_set1_epi8(static_cast<char>(_mm_cvtsi128_si32(_mm512_castsi512_si128(Lanes<16>::greatest(wide)))));
  }
};

std::uint64_t ones(int n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

template <int kBits>
std::uint64_t sparse_gate(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval) {
  const std::byte* four = first + kBits / 8 - 4;  // the four bytes that end with the element
  const __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i offsets = _mm512_mullo_epi32(index, _mm512_set1_epi32(static_cast<int>(step)));
  // Compare in the top bits, so that narrow words wrap as their own width does.
  const __m512i lo = Lanes<32>::splat(interval.lo << (32 - kBits));
  const __m512i span = Lanes<32>::splat(interval.span << (32 - kBits));
  std::uint64_t mask = 0;
  for (int i = 0; i < count; i += 16) {
    const std::uint64_t lanes = ones(count - i < 16 ? count - i : 16);
    __m512i words =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), static_cast<__mmask16>(lanes), offsets, four + i * step, 1);
    if constexpr (kBits < 32) words = _mm512_and_si512(words, Lanes<32>::splat(~0u << (32 - kBits)));
    mask |= Lanes<32>::inside(words, lo, span, lanes) << i;
  }
  return mask;
}

template <int kBits>
std::uint64_t dense_gate(const std::byte* first, int count, RawInterval interval) {
  using L = Lanes<kBits>;
  const __m512i lo = L::splat(interval.lo), span = L::splat(interval.span);
  std::uint64_t mask = 0;
  for (int i = 0; i < count; i += L::kCount) {
    const std::uint64_t lanes = ones(count - i < L::kCount ? count - i : L::kCount);
    mask |= L::inside(L::load(first + i * (kBits / 8), lanes), lo, span, lanes) << i;
  }
  return mask;
}

// Two passes: the greatest key, then its first place.
template <int kBits>
int first_max(const std::byte* first, int count) {
  using L = Lanes<kBits>;
  const auto lanes_at = [count](int i) { return ones(count - i < L::kCount ? count - i : L::kCount); };
  const auto key_at = [&](int i) { return L::signed_key(L::load(first + i * (kBits / 8), lanes_at(i))); };
  __m512i best = L::keep_or_lowest(key_at(0), lanes_at(0));
  for (int i = L::kCount; i < count; i += L::kCount) best = L::max(best, L::keep_or_lowest(key_at(i), lanes_at(i)));
  best = L::greatest(best);
  for (int i = 0; i < count; i += L::kCount) {
    const std::uint64_t equal = L::equal(key_at(i), best, lanes_at(i));
    if (equal != 0) return i + __builtin_ctzll(equal);
  }
  return 0;
}

template <int kBits>
constexpr ElementLoops kLoops = {sparse_gate<kBits>, dense_gate<kBits>, first_max<kBits>};

}  // namespace

constinit const Scanner kAvx512Scanner = {"avx512",  Isa::avx512,         kLoops<32>,       kLoops<16>,
                                          kLoops<8>, &kScalarBf16Stripes, &kScalarS8Stripes};

}  // namespace tessera::boxdecode

#endif
