// Plain loops over blocked memory.

#include <algorithm>

#include "boxdecode/numbers.h"
#include "boxdecode/read.h"
#include "boxdecode/scan/scanner.h"

namespace tessera::boxdecode {
namespace {

template <class E>
constexpr std::size_t kGroup = kLanes * sizeof(typename E::Word);

template <class E>
bool inside(typename E::Word word, RawInterval interval) noexcept {
  using Word = typename E::Word;
  return static_cast<Word>(word - static_cast<Word>(interval.lo)) <= static_cast<Word>(interval.span);
}

// In more than 8 bits: a cutoff whose high byte is 0 gives 0x100, which no byte reaches.
unsigned high_byte_bound(std::uint32_t least_key) noexcept { return std::max(0x81u, 0x100u - (least_key >> 8)); }

template <class E>
bool may_hold(const std::byte* group, int lane, std::uint32_t least_key) noexcept {
  if constexpr (std::is_same_v<E, BF16>) {
    return static_cast<unsigned>(group[lane + kLanes]) < high_byte_bound(least_key);
  } else {
    return key<E>(lane_word<E>(group, lane)) >= least_key;
  }
}

template <class E>
std::uint64_t open_groups(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes) {
  std::uint64_t open = 0;
  for (int i = 0; i < count; ++i, group += kGroup<E>) {
    bool any = false;
    for (int lane = 0; lane < kLanes; ++lane) any |= (lanes >> lane & 1) != 0 && may_hold<E>(group, lane, least_key);
    open |= std::uint64_t{any} << i;
  }
  return open;
}

template <class E>
StripeBest best(const std::byte* group, LaneMask lanes) {
  StripeBest best{0, -1};
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const std::uint32_t k = key<E>(lane_word<E>(group, lane));
    if (best.lane < 0 || k > best.key) best = {k, lane};
  }
  return best;
}

template <class E>
void reduce(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes, int first_class,
            CellScratch cells) {
  for (int i = 0; i < count; ++i, group += kGroup<E>) {
    if (open_groups<E>(group, 1, least_key, lanes) == 0) continue;
    const StripeBest found = best<E>(group, lanes);
    if (found.key <= cells.keys[i]) continue;
    cells.keys[i] = static_cast<std::uint16_t>(found.key);
    cells.classes[i] = static_cast<std::uint16_t>(first_class + found.lane);
  }
}

template <class E>
LaneMask lane_gate(const std::byte* group, RawInterval interval, LaneMask lanes) {
  LaneMask mask = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    mask |= LaneMask{inside<E>(lane_word<E>(group, lane), interval)} << lane;
  }
  return mask & lanes;
}

template <class E>
std::uint64_t one_lane_gate(const std::byte* group, int lane, int count, RawInterval interval) {
  std::uint64_t mask = 0;
  for (int i = 0; i < count; ++i, group += kGroup<E>) {
    mask |= std::uint64_t{inside<E>(lane_word<E>(group, lane), interval)} << i;
  }
  return mask;
}

}  // namespace

constinit const StripeLoops kScalarBf16Stripes = {open_groups<BF16>, best<BF16>, reduce<BF16>, lane_gate<BF16>,
                                                  one_lane_gate<BF16>};
constinit const StripeLoops kScalarS8Stripes = {open_groups<S8>, best<S8>, reduce<S8>, lane_gate<S8>,
                                                one_lane_gate<S8>};

}  // namespace tessera::boxdecode
