// AVX-512 forms over blocked memory: four groups per register. Background is got past sixteen groups at a time.

#include "boxdecode/scan/stripes_x86.h"

#if defined(TESSERA_X86)

namespace tessera::boxdecode {
namespace {

inline std::uint64_t low_bits(int n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }
__m512i load_bytes(const std::byte* at, int n) { return _mm512_maskz_loadu_epi8(low_bits(n), at); }

struct S8Groups : S8Group {
  // What decides whether groups are open: the bytes of four groups, or of the first n < 4.
  static __m512i judged(const std::byte* group) { return _mm512_loadu_si512(group); }
  static __m512i judged_few(const std::byte* group, int n) { return load_bytes(group, n * kBytes); }
  static __m512i limit(std::uint32_t least_key) { return _mm512_set1_epi8(static_cast<char>(least_key ^ 0x80u)); }
  static std::uint64_t open(__m512i bytes, __m512i limit, std::uint64_t active) {
    return _mm512_mask_cmpge_epi8_mask(active, bytes, limit);
  }
  /// Lane `lane` of four groups inside the interval: bits 0, 16, 32 and 48. The other bits mean nothing.
  static std::uint64_t lane_inside(__m512i bytes, int lane, RawInterval interval) {
    const __m512i distance = _mm512_sub_epi8(bytes, _mm512_set1_epi8(static_cast<char>(interval.lo)));
    return _mm512_cmple_epu8_mask(distance, _mm512_set1_epi8(static_cast<char>(interval.span))) >> lane;
  }
  static std::uint64_t lane_of_four(const std::byte* group, int lane, RawInterval interval) {
    return lane_inside(judged(group), lane, interval);
  }
  static std::uint64_t lane_of_few(const std::byte* group, int n, int lane, RawInterval interval) {
    return lane_inside(judged_few(group, n), lane, interval);
  }
};

/// Two registers of two groups each: [low high low high].
struct TwoAndTwo {
  __m512i a, b;
  __m512i low() const { return _mm512_shuffle_i64x2(a, b, 0x88); }
  __m512i high() const { return _mm512_shuffle_i64x2(a, b, 0xDD); }
};

struct Bf16Groups : Bf16Group {
  static TwoAndTwo groups(const std::byte* group) {
    return {_mm512_loadu_si512(group), _mm512_loadu_si512(group + 64)};
  }
  static TwoAndTwo few_groups(const std::byte* group, int n) {
    return {load_bytes(group, n < 2 ? kBytes : 64), n < 3 ? _mm512_setzero_si512() : load_bytes(group + 64, kBytes)};
  }
  // Their high bytes.
  static __m512i judged(const std::byte* group) { return groups(group).high(); }
  static __m512i judged_few(const std::byte* group, int n) { return few_groups(group, n).high(); }
  static __m512i limit(std::uint32_t least_key) {
    return _mm512_set1_epi8(static_cast<char>(last_open_high_byte(least_key)));
  }
  static std::uint64_t open(__m512i bytes, __m512i limit, std::uint64_t active) {
    return _mm512_mask_cmple_epu8_mask(active, bytes, limit);
  }
  static std::uint64_t lane_inside(const TwoAndTwo& four, int lane, RawInterval interval) {
    const __m512i low = four.low(), high = four.high();
    const __m512i words = lane < 8 ? _mm512_unpacklo_epi8(low, high) : _mm512_unpackhi_epi8(low, high);
    const __m512i distance = _mm512_sub_epi16(words, _mm512_set1_epi16(static_cast<short>(interval.lo)));
    const __m512i span = _mm512_set1_epi16(static_cast<short>(interval.span));
    // As bytes, so that a word stands where a pair of lanes would: 16 bits per group.
    return _mm512_movepi8_mask(_mm512_movm_epi16(_mm512_cmple_epu16_mask(distance, span))) >> (2 * (lane & 7));
  }
  static std::uint64_t lane_of_four(const std::byte* group, int lane, RawInterval interval) {
    return lane_inside(groups(group), lane, interval);
  }
  static std::uint64_t lane_of_few(const std::byte* group, int n, int lane, RawInterval interval) {
    return lane_inside(few_groups(group, n), lane, interval);
  }
};

template <class G>
std::uint64_t open_groups(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes) {
  const __m512i limit = G::limit(least_key);
  const std::uint64_t active = lanes * 0x0001'0001'0001'0001u;
  const auto hits = [&](std::ptrdiff_t i) { return G::open(G::judged(group + i * G::kBytes), limit, active); };
  std::uint64_t open = 0;
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    const std::uint64_t a = hits(i), b = hits(i + 4), c = hits(i + 8), d = hits(i + 12);
    if ((a | b | c | d) == 0) continue;
    open |= (fields_set(a) | fields_set(b) << 4 | fields_set(c) << 8 | fields_set(d) << 12) << i;
  }
  for (; i + 4 <= count; i += 4) open |= fields_set(hits(i)) << i;
  if (i == count) return open;
  const __m512i rest = G::judged_few(group + std::ptrdiff_t{i} * G::kBytes, count - i);
  return open | fields_set(G::open(rest, limit, active & low_bits(16 * (count - i)))) << i;
}

template <class G>
std::uint64_t one_lane_gate(const std::byte* group, int lane, int count, RawInterval interval) {
  std::uint64_t open = 0;
  int i = 0;
  for (; i + 4 <= count; i += 4, group += 4 * G::kBytes)
    open |= every_16th(G::lane_of_four(group, lane, interval)) << i;
  if (i == count) return open;
  return open | (every_16th(G::lane_of_few(group, count - i, lane, interval)) & low_bits(count - i)) << i;
}

template <class G>
constexpr StripeLoops kStripes = {open_groups<G>, G::best, reduce<G, open_groups<G>>, G::lane_gate, one_lane_gate<G>};

}  // namespace

constinit const StripeLoops kAvx512Bf16Stripes = kStripes<Bf16Groups>;
constinit const StripeLoops kAvx512S8Stripes = kStripes<S8Groups>;

}  // namespace tessera::boxdecode

#endif
