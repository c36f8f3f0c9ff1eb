#include "boxdecode/select/store.h"

#include <algorithm>

namespace tessera::boxdecode {
namespace {
constexpr auto kEarlier = [](const Candidate& a, const Candidate& b) { return a.order < b.order; };
constexpr std::uint32_t kFirstChunk = 256;
}  // namespace

void CandidateStore::prune() noexcept {
  Candidate* last = buffer_ + (limit_ - 1);
  std::nth_element(buffer_, last, buffer_ + size_, kEarlier);
  bar_ = last->order;
  size_ = limit_;
}

// Chunks double, so sorting everything stays O(n log n).
void SelectionOrder::sort_through(std::uint32_t i) noexcept {
  while (sorted_ <= i) {
    const std::uint32_t chunk = std::max(kFirstChunk, sorted_);
    const std::uint32_t end = chunk < count_ - sorted_ ? sorted_ + chunk : count_;
    if (end < count_) std::nth_element(candidates_ + sorted_, candidates_ + end, candidates_ + count_, kEarlier);
    std::sort(candidates_ + sorted_, candidates_ + end, kEarlier);
    sorted_ = end;
  }
}

}  // namespace tessera::boxdecode
