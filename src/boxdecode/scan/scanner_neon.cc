// AArch64 Advanced SIMD forms over dense memory: 4, 8 or 16 words per register. There is no gather: elements far apart
// are loaded one by one.

#include <arm_neon.h>

#include "boxdecode/scan/scanner.h"
#include "boxdecode/scan/scanner_body.h"

#if defined(TESSERA_NEON)

namespace tessera::boxdecode {
namespace {

uint8x16_t load_bytes(const std::byte* at, int n) {
  alignas(16) std::uint8_t buffer[16] = {};
  __builtin_memcpy(buffer, at, static_cast<std::size_t>(n));
  return vld1q_u8(buffer);
}
uint8x16_t load_register(const std::byte* at) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(at)); }

// Comparisons set all bits of a word; `bits` keeps a bit of its own weight of each and adds them up.
constexpr std::uint8_t kWeights8[8] = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr std::uint32_t kWeights32[4] = {1, 2, 4, 8};
constexpr std::uint8_t kPlaces8[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr std::uint16_t kPlaces16[8] = {0, 1, 2, 3, 4, 5, 6, 7};
constexpr std::uint32_t kPlaces32[4] = {0, 1, 2, 3};

unsigned eight_bits(uint8x8_t truth) { return vaddv_u8(vand_u8(truth, vld1_u8(kWeights8))); }

template <int kBits>
struct Words;

template <>
struct Words<32> {
  static constexpr int kCount = 4, kBytes = 4;
  using Vec = uint32x4_t;
  using Hits = uint32x4_t;
  static Vec load(const std::byte* at) { return vreinterpretq_u32_u8(load_register(at)); }
  static Vec load_few(const std::byte* at, int n) { return vreinterpretq_u32_u8(load_bytes(at, n * kBytes)); }
  static Vec splat(std::uint32_t w) { return vdupq_n_u32(w); }
  static Hits inside(Vec w, Vec lo, Vec span) { return vcleq_u32(vsubq_u32(w, lo), span); }
  static Hits either(Hits a, Hits b) { return vorrq_u32(a, b); }
  static bool any(Hits a) { return vmaxvq_u32(a) != 0; }
  static std::uint64_t bits(Hits a) { return vaddvq_u32(vandq_u32(a, vld1q_u32(kWeights32))); }
  static Vec keys(Vec w) {
    const Vec sign = vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(w), 31));
    return vbicq_u32(veorq_u32(w, vshrq_n_u32(sign, 1)), vceqq_u32(w, splat(0x80000000u)));
  }
  static Vec max(Vec a, Vec b) {
    return vreinterpretq_u32_s32(vmaxq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b)));
  }
  static Vec greatest(Vec a) { return vreinterpretq_u32_s32(vdupq_n_s32(vmaxvq_s32(vreinterpretq_s32_u32(a)))); }
  static Hits equal(Vec a, Vec b) { return vceqq_u32(a, b); }
  static Vec first_or(Vec a, int n, Vec b) {
    return vbslq_u32(vcltq_u32(vld1q_u32(kPlaces32), splat(static_cast<std::uint32_t>(n))), a, b);
  }
};

template <>
struct Words<16> {
  static constexpr int kCount = 8, kBytes = 2;
  using Vec = uint16x8_t;
  using Hits = uint16x8_t;
  static Vec load(const std::byte* at) { return vreinterpretq_u16_u8(load_register(at)); }
  static Vec load_few(const std::byte* at, int n) { return vreinterpretq_u16_u8(load_bytes(at, n * kBytes)); }
  static Vec splat(std::uint32_t w) { return vdupq_n_u16(static_cast<std::uint16_t>(w)); }
  static Hits inside(Vec w, Vec lo, Vec span) { return vcleq_u16(vsubq_u16(w, lo), span); }
  static Hits either(Hits a, Hits b) { return vorrq_u16(a, b); }
  static bool any(Hits a) { return vmaxvq_u16(a) != 0; }
  static std::uint64_t bits(Hits a) { return eight_bits(vmovn_u16(a)); }
  static Vec keys(Vec w) {
    const Vec sign = vreinterpretq_u16_s16(vshrq_n_s16(vreinterpretq_s16_u16(w), 15));
    return vbicq_u16(veorq_u16(w, vshrq_n_u16(sign, 1)), vceqq_u16(w, splat(0x8000u)));
  }
  static Vec max(Vec a, Vec b) {
    return vreinterpretq_u16_s16(vmaxq_s16(vreinterpretq_s16_u16(a), vreinterpretq_s16_u16(b)));
  }
  static Vec greatest(Vec a) { return vreinterpretq_u16_s16(vdupq_n_s16(vmaxvq_s16(vreinterpretq_s16_u16(a)))); }
  static Hits equal(Vec a, Vec b) { return vceqq_u16(a, b); }
  static Vec first_or(Vec a, int n, Vec b) {
    return vbslq_u16(vcltq_u16(vld1q_u16(kPlaces16), splat(static_cast<std::uint32_t>(n))), a, b);
  }
};

template <>
struct Words<8> {
  static constexpr int kCount = 16, kBytes = 1;
  using Vec = uint8x16_t;
  using Hits = uint8x16_t;
  static Vec load(const std::byte* at) { return load_register(at); }
  static Vec load_few(const std::byte* at, int n) { return load_bytes(at, n); }
  static Vec splat(std::uint32_t w) { return vdupq_n_u8(static_cast<std::uint8_t>(w)); }
  static Hits inside(Vec w, Vec lo, Vec span) { return vcleq_u8(vsubq_u8(w, lo), span); }
  static Hits either(Hits a, Hits b) { return vorrq_u8(a, b); }
  static bool any(Hits a) { return vmaxvq_u8(a) != 0; }
  static std::uint64_t bits(Hits a) { return eight_bits(vget_low_u8(a)) | eight_bits(vget_high_u8(a)) << 8; }
  static Vec keys(Vec w) { return w; }
  static Vec max(Vec a, Vec b) { return vreinterpretq_u8_s8(vmaxq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b))); }
  static Vec greatest(Vec a) { return vreinterpretq_u8_s8(vdupq_n_s8(vmaxvq_s8(vreinterpretq_s8_u8(a)))); }
  static Hits equal(Vec a, Vec b) { return vceqq_u8(a, b); }
  static Vec first_or(Vec a, int n, Vec b) {
    return vbslq_u8(vcltq_u8(vld1q_u8(kPlaces8), splat(static_cast<std::uint32_t>(n))), a, b);
  }
};

// Words in the top bits of 32, so that narrow ones wrap as their own width does.
template <int kBits>
std::uint64_t sparse_gate(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval) {
  const std::uint32_t lo = interval.lo << (32 - kBits), span = interval.span << (32 - kBits);
  std::uint64_t open = 0;
  for (int i = 0; i < count; ++i, first += step) {
    std::uint32_t word = 0;
    __builtin_memcpy(&word, first, kBits / 8);
    open |= std::uint64_t{(word << (32 - kBits)) - lo <= span} << i;
  }
  return open;
}

template <int kBits>
constexpr ElementLoops kLoops = {sparse_gate<kBits>, dense_gate<Words<kBits>>, first_open<Words<kBits>>,
                                 first_max<Words<kBits>>};

}  // namespace

constinit const Scanner kNeonScanner = {"neon",    Isa::neon,         kLoops<32>,     kLoops<16>,
                                        kLoops<8>, &kNeonBf16Stripes, &kNeonS8Stripes};

}  // namespace tessera::boxdecode

#endif
