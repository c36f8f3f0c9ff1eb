#pragma once
// The inner loops of scanning, one set per instruction set. They compare raw words as integers; no arithmetic, so every
// scanner gives the same bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu_features.h"
#include "boxdecode/raw_interval.h"

namespace tessera::boxdecode {

/// Which of `count` (1...64) elements, `step` bytes apart, lie in the interval: bit i for first + i * step. May read
/// the four bytes *ending* with an element, so at least three bytes before it must exist (in a combined head x, y, w
/// and h stand there), and nothing after it.
using SparseGate = std::uint64_t(const std::byte* first, std::ptrdiff_t step, int count, RawInterval interval);

/// The same for `count` (1...64) adjacent elements. Reads only these.
using DenseGate = std::uint64_t(const std::byte* first, int count, RawInterval interval);

/// Index of the first of `count` >= 0 adjacent elements that lies in the interval, or `count`. Reads only these. This
/// is how a scan gets past background: everything it rejects costs one pass at the speed of memory.
using FirstOpen = int(const std::byte* first, int count, RawInterval interval);

/// Index of the first element with the greatest key among `count` >= 1 adjacent ones. Reads only these.
using FirstMax = int(const std::byte* first, int count);

/// Loops over dense memory.
struct ElementLoops {
  SparseGate* sparse_gate;
  DenseGate* dense_gate;
  FirstOpen* first_open;
  FirstMax* first_max;
};

/// Lanes of a stripe that carry meaning: bit i for lane i, 16 bits.
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = 0xFFFF;

/// One place per cell of a window, for routes that see a cell's channels piece by piece.
struct CellScratch {
  std::uint16_t* keys = nullptr;     ///< greatest so far
  std::uint16_t* classes = nullptr;  ///< where it was first seen; meaningless for key 0 unless cleared
};

/// Which of `count` (1...64) adjacent groups may hold a word whose key is at least `least_key` in one of `lanes`: bit i
/// for group i. Int8: exactly those (a signed compare). BF16: judged by high bytes alone, so a group may be named that
/// holds none, never the reverse: high bytes h >= bound = max(0x81, 0x100 - (least_key >> 8)) belong to negative words
/// below the cutoff.
using OpenGroups = std::uint64_t(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes);

/// Greatest key among `lanes` (not empty) of one group, and the first lane that has it.
struct StripeBest {
  std::uint32_t key;
  std::int32_t lane;
};
using BestOfStripe = StripeBest(const std::byte* group, LaneMask lanes);

/// Group i updates cells.keys[i] and cells.classes[i], for `count` >= 0 adjacent groups: the best of `lanes` replaces a
/// lower key, strictly, with class first_class + lane. Groups that are not open (as above) are passed over.
using ReduceGroups = void(const std::byte* group, int count, std::uint32_t least_key, LaneMask lanes, int first_class,
                          CellScratch cells);

/// Which of `lanes` of one group hold a word in the interval.
using LaneGate = LaneMask(const std::byte* group, RawInterval interval, LaneMask lanes);

/// Which of `count` (1...64) adjacent groups hold, in lane `lane`, a word in the interval: bit i for group i.
using OneLaneGate = std::uint64_t(const std::byte* group, int lane, int count, RawInterval interval);

/// Loops over blocked memory: groups of 16 lanes (16 bytes, or 16 low and 16 high bytes), adjacent pixels in adjacent
/// groups. They may read whole groups, padding lanes included, and nothing else.
struct StripeLoops {
  OpenGroups* open_groups;
  BestOfStripe* best;
  ReduceGroups* reduce;
  LaneGate* lane_gate;
  OneLaneGate* one_lane_gate;
};

struct Scanner {
  const char* name;  ///< "avx512"
  Isa isa;
  ElementLoops f32, bf16, s8;
  const StripeLoops *bf16_stripes, *s8_stripes;
};

extern const Scanner kScalarScanner;
extern const StripeLoops kScalarBf16Stripes, kScalarS8Stripes;
#if defined(TESSERA_X86)
extern const Scanner kAvx2Scanner, kAvx512Scanner;
extern const StripeLoops kAvx2Bf16Stripes, kAvx2S8Stripes, kAvx512Bf16Stripes, kAvx512S8Stripes;
#endif
#if defined(TESSERA_NEON)
extern const Scanner kNeonScanner;
extern const StripeLoops kNeonBf16Stripes, kNeonS8Stripes;
#endif

std::span<const Scanner* const> scanners() noexcept;  ///< best first, scalar last

}  // namespace tessera::boxdecode
