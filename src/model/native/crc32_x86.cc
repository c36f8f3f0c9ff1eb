// The remainder of a long message by products without carries (Gopal et al. 2009, Fast CRC Computation for Generic
// Polynomials Using PCLMULQDQ Instruction, Intel): 16 bytes, times x^n, are folded onto the 16 that lie n bits further
// on. Memory, not the processor, then sets the pace. No level of base/cpu_features.h says whether the instruction is
// there, so this file asks and marks its functions itself.
#include "model/native/crc32.h"

#if defined(TESSERA_X86)

#include <immintrin.h>

#define TESSERA_FOLDS __attribute__((target("pclmul,sse4.1")))

namespace tessera::native {
namespace {

/// A page: the processor's own look ahead ends with a small page.
constexpr std::ptrdiff_t kAhead = 4096;

/// x^n modulo the polynomial. Reflected: the highest bit is x^0. The product of two reflected 64-bit numbers comes out
/// one bit too low; the factor makes up for it.
constexpr long long power(int n) {
  std::uint32_t r = 0x80000000u;
  for (; n > 0; --n) r = r >> 1 ^ ((r & 1u) != 0 ? 0xedb88320u : 0u);
  return static_cast<long long>(r) << 1;
}

TESSERA_FOLDS __m128i load(const std::byte* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }

/// x, taken `bits` further on, and y. The low half of x stands 64 bits before its high half; 32 are the remainder's.
template <int bits>
TESSERA_FOLDS __m128i onto(__m128i x, __m128i y) {
  const __m128i factors = _mm_set_epi64x(power(bits - 32), power(bits + 32));
  const __m128i low = _mm_clmulepi64_si128(x, factors, 0x00), high = _mm_clmulepi64_si128(x, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), y);
}

}  // namespace

bool can_fold() noexcept { return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"); }

// Four at a time: a product takes some six cycles, and one can start in each.
TESSERA_FOLDS Folded fold(std::span<const std::byte> bytes, std::uint32_t state) noexcept {
  const std::byte *p = bytes.data(), *end = p + bytes.size();
  __m128i a = _mm_xor_si128(load(p), _mm_cvtsi32_si128(static_cast<int>(state)));
  __m128i b = load(p + 16), c = load(p + 32), d = load(p + 48);
  for (p += 64; end - p >= 64; p += 64) {
    if (end - p > kAhead) __builtin_prefetch(p + kAhead);
    a = onto<512>(a, load(p)), b = onto<512>(b, load(p + 16));
    c = onto<512>(c, load(p + 32)), d = onto<512>(d, load(p + 48));
  }
  a = onto<128>(onto<128>(onto<128>(a, b), c), d);
  for (; end - p >= 16; p += 16) a = onto<128>(a, load(p));
  Folded out;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out.rest), a);
  out.taken = static_cast<std::size_t>(p - bytes.data());
  return out;
}

}  // namespace tessera::native

#endif
