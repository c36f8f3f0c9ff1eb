#include "bench/read_loops.h"

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera::cli {
namespace {

// Four sums: one alone would wait for itself. All of a sum's lanes must look used.
void keep(const void* lanes) { asm volatile("" : : "r"(lanes) : "memory"); }

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void read_avx512(const std::byte* from, std::size_t bytes) {
  __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
  for (std::size_t i = 0; i < bytes; i += 256) {
    a = _mm512_xor_si512(a, _mm512_load_si512(from + i));
    b = _mm512_xor_si512(b, _mm512_load_si512(from + i + 64));
    c = _mm512_xor_si512(c, _mm512_load_si512(from + i + 128));
    d = _mm512_xor_si512(d, _mm512_load_si512(from + i + 192));
  }
  alignas(64) std::byte lanes[64];
  _mm512_store_si512(lanes, _mm512_xor_si512(_mm512_xor_si512(a, b), _mm512_xor_si512(c, d)));
  keep(lanes);
}

[[gnu::target("avx2")]] void read_avx2(const std::byte* from, std::size_t bytes) {
  __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
  const auto* at = reinterpret_cast<const __m256i*>(from);
  for (std::size_t i = 0; i < bytes / 32; i += 4) {
    a = _mm256_xor_si256(a, _mm256_load_si256(at + i));
    b = _mm256_xor_si256(b, _mm256_load_si256(at + i + 1));
    c = _mm256_xor_si256(c, _mm256_load_si256(at + i + 2));
    d = _mm256_xor_si256(d, _mm256_load_si256(at + i + 3));
  }
  alignas(32) std::byte lanes[32];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes),
                     _mm256_xor_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d)));
  keep(lanes);
}
#endif

// The compiler's vectors: SSE2, NEON.
void read_portable(const std::byte* from, std::size_t bytes) {
  using Reg = std::uint32_t __attribute__((vector_size(16), may_alias));
  const auto* at = reinterpret_cast<const Reg*>(from);
  Reg a{}, b{}, c{}, d{};
  for (std::size_t i = 0; i < bytes / 16; i += 4) {
    a ^= at[i];
    b ^= at[i + 1];
    c ^= at[i + 2];
    d ^= at[i + 3];
  }
  const Reg lanes = a ^ b ^ c ^ d;
  keep(&lanes);
}

}  // namespace

ReadLoop read_loop([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa >= Isa::avx512 && isa <= Isa::avx512_bf16) return read_avx512;
  if (isa == Isa::avx2) return read_avx2;
#endif
  return read_portable;
}

}  // namespace tessera::cli
