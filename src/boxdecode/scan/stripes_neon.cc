// AArch64 Advanced SIMD forms over blocked memory: a group fills one register (Int8) or two (BF16). Background is got
// past eight groups at a time.

#include <arm_neon.h>

#include "boxdecode/scan/stripes_body.h"

#if defined(TESSERA_NEON)

namespace tessera::boxdecode {
namespace {

uint8x16_t load_lanes(const std::byte* at) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(at)); }

constexpr std::uint8_t kBits[8] = {1, 2, 4, 8, 16, 32, 64, 128};

/// All bits in the bytes whose lane is set.
uint8x16_t lane_bytes(LaneMask lanes) {
  const uint8x8_t low = vdup_n_u8(static_cast<std::uint8_t>(lanes));
  const uint8x8_t high = vdup_n_u8(static_cast<std::uint8_t>(lanes >> 8));
  const uint8x8_t bit = vld1_u8(kBits);
  return vtstq_u8(vcombine_u8(low, high), vcombine_u8(bit, bit));
}
/// The reverse: a bit per byte that is all ones.
LaneMask lanes_of(uint8x16_t truth) {
  const uint8x8_t bit = vld1_u8(kBits);
  const unsigned low = vaddv_u8(vand_u8(vget_low_u8(truth), bit));
  const unsigned high = vaddv_u8(vand_u8(vget_high_u8(truth), bit));
  return low | high << 8;
}
uint8x16_t narrow(uint16x8_t a, uint16x8_t b) { return vcombine_u8(vmovn_u16(a), vmovn_u16(b)); }

struct S8Groups {
  static constexpr int kBytes = 16;

  static uint8x16_t open(const std::byte* group, std::uint32_t least_key) {
    const auto cut = static_cast<std::int8_t>(static_cast<std::uint8_t>(least_key ^ 0x80u));
    return vcgeq_s8(vreinterpretq_s8_u8(load_lanes(group)), vdupq_n_s8(cut));
  }
  static StripeBest best(const std::byte* group, LaneMask lanes) {
    const int8x16_t lowest = vdupq_n_s8(-128);
    const int8x16_t bytes = vbslq_s8(lane_bytes(lanes), vreinterpretq_s8_u8(load_lanes(group)), lowest);
    const std::int8_t greatest = vmaxvq_s8(bytes);
    const LaneMask hit = lanes_of(vceqq_s8(bytes, vdupq_n_s8(greatest))) & lanes;
    return {static_cast<std::uint32_t>(greatest + 128), __builtin_ctz(hit)};
  }
  static LaneMask lane_gate(const std::byte* group, RawInterval interval, LaneMask lanes) {
    const uint8x16_t distance = vsubq_u8(load_lanes(group), vdupq_n_u8(static_cast<std::uint8_t>(interval.lo)));
    return lanes_of(vcleq_u8(distance, vdupq_n_u8(static_cast<std::uint8_t>(interval.span)))) & lanes;
  }
  static bool lane_inside(const std::byte* group, int lane, RawInterval interval) {
    const auto distance = static_cast<std::uint8_t>(static_cast<std::uint32_t>(group[lane]) - interval.lo);
    return distance <= static_cast<std::uint8_t>(interval.span);
  }
};

struct Bf16Groups {
  static constexpr int kBytes = 32;

  static uint8x16_t open(const std::byte* group, std::uint32_t least_key) {
    return vcleq_u8(load_lanes(group + 16), vdupq_n_u8(last_open_high_byte(least_key)));
  }
  struct Words {
    uint16x8_t a, b;
  };
  static Words words(uint8x16_t low, uint8x16_t high) {
    return {vreinterpretq_u16_u8(vzip1q_u8(low, high)), vreinterpretq_u16_u8(vzip2q_u8(low, high))};
  }
  // As signed integers (scanner_body.h); the lowest one in lanes that do not count.
  static int16x8_t keys(uint16x8_t w, uint16x8_t counts) {
    const uint16x8_t sign = vreinterpretq_u16_s16(vshrq_n_s16(vreinterpretq_s16_u16(w), 15));
    const uint16x8_t minus_zero = vceqq_u16(w, vdupq_n_u16(0x8000));
    const uint16x8_t key = vbicq_u16(veorq_u16(w, vshrq_n_u16(sign, 1)), minus_zero);
    return vreinterpretq_s16_u16(vbslq_u16(counts, key, vdupq_n_u16(0x8000)));
  }
  static StripeBest best(const std::byte* group, LaneMask lanes) {
    const uint8x16_t active = lane_bytes(lanes);
    const Words w = words(load_lanes(group), load_lanes(group + 16)), counts = words(active, active);
    const int16x8_t a = keys(w.a, counts.a), b = keys(w.b, counts.b);
    const std::int16_t greatest = vmaxvq_s16(vmaxq_s16(a, b));
    const int16x8_t wanted = vdupq_n_s16(greatest);
    const LaneMask hit = lanes_of(narrow(vceqq_s16(a, wanted), vceqq_s16(b, wanted))) & lanes;
    return {static_cast<std::uint32_t>(greatest + 0x8000), __builtin_ctz(hit)};
  }
  static LaneMask lane_gate(const std::byte* group, RawInterval interval, LaneMask lanes) {
    const Words w = words(load_lanes(group), load_lanes(group + 16));
    const uint16x8_t lo = vdupq_n_u16(static_cast<std::uint16_t>(interval.lo));
    const uint16x8_t span = vdupq_n_u16(static_cast<std::uint16_t>(interval.span));
    return lanes_of(narrow(vcleq_u16(vsubq_u16(w.a, lo), span), vcleq_u16(vsubq_u16(w.b, lo), span))) & lanes;
  }
  static bool lane_inside(const std::byte* group, int lane, RawInterval interval) {
    const std::uint32_t word = static_cast<std::uint32_t>(group[lane]) | static_cast<std::uint32_t>(group[lane + 16])
                                                                             << 8;
    return static_cast<std::uint16_t>(word - interval.lo) <= static_cast<std::uint16_t>(interval.span);
  }
};

template <class G>
std::uint64_t open_groups(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes) {
  const uint8x16_t active = lane_bytes(lanes);
  const auto hits = [&](std::ptrdiff_t i) { return vandq_u8(G::open(group + i * G::kBytes, least_key), active); };
  std::uint64_t open = 0;
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    uint8x16_t hit[8];
    for (int k = 0; k < 8; ++k) hit[k] = hits(i + k);
    uint8x16_t any = hit[0];
    for (int k = 1; k < 8; ++k) any = vorrq_u8(any, hit[k]);
    if (vmaxvq_u8(any) == 0) continue;
    for (int k = 0; k < 8; ++k) open |= std::uint64_t{vmaxvq_u8(hit[k]) != 0} << (i + k);
  }
  for (; i < count; ++i) open |= std::uint64_t{vmaxvq_u8(hits(i)) != 0} << i;
  return open;
}

// One byte or two of each group: nothing that a register of adjacent bytes would speed up.
template <class G>
std::uint64_t one_lane_gate(const std::byte* group, int lane, int count, RawInterval interval) {
  std::uint64_t open = 0;
  for (int i = 0; i < count; ++i, group += G::kBytes) {
    open |= std::uint64_t{G::lane_inside(group, lane, interval)} << i;
  }
  return open;
}

template <class G>
constexpr StripeLoops kStripes = {open_groups<G>, G::best, reduce<G, open_groups<G>>, G::lane_gate, one_lane_gate<G>};

}  // namespace

constinit const StripeLoops kNeonBf16Stripes = kStripes<Bf16Groups>;
constinit const StripeLoops kNeonS8Stripes = kStripes<S8Groups>;

}  // namespace tessera::boxdecode

#endif
