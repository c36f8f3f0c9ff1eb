#pragma once
// Greedy non-maximum suppression, class by class, on float model-space boxes.

#include <cstdint>

#include "boxdecode/select/store.h"

namespace tessera::boxdecode {

/// A kept candidate. 32 bytes.
struct Kept {
  std::uint32_t candidate;  ///< index in selection order
  std::uint32_t next;       ///< the previously kept one of the same class
  Box box;
  float area;
  std::uint32_t unused;
};
static_assert(sizeof(Kept) == sizeof(Candidate));

struct NmsRules {
  bool suppress = true;  ///< false: take the first `capacity` in selection order
  float iou_threshold = 0;
  bool class_agnostic = false;
  std::uint32_t capacity = 0;       ///< K
  std::uint32_t max_per_class = 0;  ///< 0: none
  std::uint32_t classes = 0;
};

/// Scratch of one selection: kept has min(K, candidates) places, the others one per class.
struct NmsScratch {
  Kept* kept;
  std::uint32_t* newest;  ///< per class: its most recently kept one
  std::uint32_t* counts;  ///< per class: how many are kept
};

/// Visits candidates in selection order; keeps one unless a kept one of its class (any, if agnostic) overlaps it by
/// more than the threshold, strictly, or its class is full. Returns how many are kept, in scratch.kept in selection
/// order. Equal to comparing with all kept ones in O(n^2): chains per class only skip pairs that cannot suppress.
std::uint32_t select(SelectionOrder& order, const NmsRules& rules, const NmsScratch& scratch) noexcept;

}  // namespace tessera::boxdecode
