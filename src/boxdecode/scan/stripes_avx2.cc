// AVX2 forms over blocked memory: two groups per register. Background is got past eight groups at a time.

#include "boxdecode/scan/stripes_x86.h"

#if defined(TESSERA_X86)

namespace tessera::boxdecode {
namespace {

__m256i both(__m128i a, __m128i b) { return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1); }
std::uint64_t sign_bits(__m256i bytes) { return static_cast<unsigned>(_mm256_movemask_epi8(bytes)); }

struct S8Groups : S8Group {
  // What decides whether groups are open: their bytes.
  static __m256i judged(const std::byte* group) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(group)); }
  static __m256i judged_one(const std::byte* group) { return _mm256_castsi128_si256(load_lanes(group)); }
  static __m256i limit(std::uint32_t least_key) { return _mm256_set1_epi8(static_cast<char>(least_key ^ 0x80u)); }
  static __m256i open(__m256i bytes, __m256i limit) {  // bytes >= limit, signed
    return _mm256_cmpeq_epi8(_mm256_max_epi8(bytes, limit), bytes);
  }
  /// Lane `lane` of two groups inside the interval: bits 0 and 16.
  static std::uint64_t lane_inside(__m256i a, int lane, RawInterval interval) {
    const __m256i distance = _mm256_sub_epi8(a, _mm256_set1_epi8(static_cast<char>(interval.lo)));
    const __m256i span = _mm256_set1_epi8(static_cast<char>(interval.span));
    return sign_bits(_mm256_cmpeq_epi8(_mm256_min_epu8(distance, span), distance)) >> lane;
  }
  static std::uint64_t lane_of_two(const std::byte* group, int lane, RawInterval interval) {
    return lane_inside(judged(group), lane, interval);
  }
  static std::uint64_t lane_of_one(const std::byte* group, int lane, RawInterval interval) {
    return lane_inside(judged_one(group), lane, interval);
  }
};

struct Bf16Groups : Bf16Group {
  // Their high bytes.
  static __m256i judged(const std::byte* group) { return both(load_lanes(group + 16), load_lanes(group + 48)); }
  static __m256i judged_one(const std::byte* group) { return _mm256_castsi128_si256(load_lanes(group + 16)); }
  static __m256i limit(std::uint32_t least_key) {
    return _mm256_set1_epi8(static_cast<char>(last_open_high_byte(least_key)));
  }
  static __m256i open(__m256i bytes, __m256i limit) {  // bytes <= limit, unsigned
    return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, limit), bytes);
  }
  static std::uint64_t lane_inside(__m256i low, __m256i high, int lane, RawInterval interval) {
    const __m256i words = lane < 8 ? _mm256_unpacklo_epi8(low, high) : _mm256_unpackhi_epi8(low, high);
    const __m256i distance = _mm256_sub_epi16(words, _mm256_set1_epi16(static_cast<short>(interval.lo)));
    const __m256i span = _mm256_set1_epi16(static_cast<short>(interval.span));
    return sign_bits(_mm256_cmpeq_epi16(_mm256_min_epu16(distance, span), distance)) >> (2 * (lane & 7));
  }
  static std::uint64_t lane_of_two(const std::byte* group, int lane, RawInterval interval) {
    return lane_inside(both(load_lanes(group), load_lanes(group + 32)), judged(group), lane, interval);
  }
  static std::uint64_t lane_of_one(const std::byte* group, int lane, RawInterval interval) {
    return lane_inside(_mm256_castsi128_si256(load_lanes(group)), judged_one(group), lane, interval);
  }
};

template <class G>
std::uint64_t open_groups(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes) {
  const __m256i limit = G::limit(least_key), active = both(lane_bytes(lanes), lane_bytes(lanes));
  std::uint64_t open = 0;
  int i = 0;
  for (; i + 8 <= count; i += 8, group += 8 * G::kBytes) {
    const __m256i a = G::open(G::judged(group), limit), b = G::open(G::judged(group + 2 * G::kBytes), limit);
    const __m256i c = G::open(G::judged(group + 4 * G::kBytes), limit);
    const __m256i d = G::open(G::judged(group + 6 * G::kBytes), limit);
    const __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    if (_mm256_testz_si256(any, active) != 0) continue;
    const std::uint64_t four_lanes = lanes * 0x0001'0001'0001'0001u;
    const std::uint64_t first = fields_set((sign_bits(a) | sign_bits(b) << 32) & four_lanes);
    const std::uint64_t second = fields_set((sign_bits(c) | sign_bits(d) << 32) & four_lanes);
    open |= (first | second << 4) << i;
  }
  for (; i < count; ++i, group += G::kBytes) {
    const bool any = (sign_bits(G::open(G::judged_one(group), limit)) & lanes) != 0;
    open |= std::uint64_t{any} << i;
  }
  return open;
}

template <class G>
std::uint64_t one_lane_gate(const std::byte* group, int lane, int count, RawInterval interval) {
  std::uint64_t open = 0;
  int i = 0;
  for (; i + 4 <= count; i += 4, group += 4 * G::kBytes) {
    const std::uint64_t two = G::lane_of_two(group, lane, interval) & 0x10001u;
    open |= every_16th(two | G::lane_of_two(group + 2 * G::kBytes, lane, interval) << 32) << i;
  }
  for (; i < count; ++i, group += G::kBytes) open |= (G::lane_of_one(group, lane, interval) & 1) << i;
  return open;
}

template <class G>
constexpr StripeLoops kStripes = {open_groups<G>, G::best, reduce<G, open_groups<G>>, G::lane_gate, one_lane_gate<G>};

}  // namespace

constinit const StripeLoops kAvx2Bf16Stripes = kStripes<Bf16Groups>;
constinit const StripeLoops kAvx2S8Stripes = kStripes<S8Groups>;

}  // namespace tessera::boxdecode

#endif
