#pragma once
// Where admitted candidates wait: a fixed buffer that keeps the first L in selection order.

#include <bit>
#include <cstdint>
#include <limits>

#include "boxdecode/box.h"

namespace tessera::boxdecode {

/// 32 bytes. The order word alone is the selection order: score descending, then ordinal ascending (scores are finite
/// and >= +0, so their bits are ordered as they are).
struct Candidate {
  std::uint64_t order;
  Box box;
  std::int32_t class_id;
  std::uint32_t unused;

  float score() const noexcept { return std::bit_cast<float>(~static_cast<std::uint32_t>(order >> 32)); }
  std::uint32_t ordinal() const noexcept { return static_cast<std::uint32_t>(order); }
};
static_assert(sizeof(Candidate) == 32);

inline std::uint64_t order_word(float score, std::uint32_t ordinal) noexcept {
  return std::uint64_t{~std::bit_cast<std::uint32_t>(score)} << 32 | ordinal;
}

/// Keeps everything while there is room for 2 * limit; when full, drops all but the first `limit`. Each drop costs
/// O(limit) and makes room for `limit` more, so the limit costs a constant per candidate. The result is that of a
/// bounded heap. Without an effective limit the buffer has a place for every slot and nothing is dropped.
class CandidateStore {
 public:
  /// buffer: 2 * limit places.
  CandidateStore(Candidate* buffer, std::uint32_t limit) noexcept : buffer_(buffer), limit_(limit) {}

  void add(float score, std::uint32_t ordinal, std::int32_t class_id, const Box& box) noexcept {
    ++seen_;
    const std::uint64_t order = order_word(score, ordinal);
    if (order > bar_) return;
    if (size_ == 2 * std::uint64_t{limit_}) prune();
    buffer_[size_++] = {order, box, class_id, 0};
  }
  /// Applies the limit for good; places [limit, 2 * limit) are free afterwards. In no particular order.
  std::uint32_t finish() noexcept {
    if (size_ > limit_) prune();
    return static_cast<std::uint32_t>(size_);
  }
  std::uint64_t seen() const noexcept { return seen_; }
  bool limit_hit() const noexcept { return seen_ > limit_; }

 private:
  void prune() noexcept;

  Candidate* buffer_;
  std::uint32_t limit_;
  std::uint64_t size_ = 0, seen_ = 0;
  std::uint64_t bar_ = std::numeric_limits<std::uint64_t>::max();  // worst order word that may still survive
};

/// Selection order on demand: most callers stop after the first few hundred of tens of thousands.
class SelectionOrder {
 public:
  SelectionOrder(Candidate* candidates, std::uint32_t count) noexcept : candidates_(candidates), count_(count) {}
  /// The i-th in selection order.
  const Candidate& at(std::uint32_t i) noexcept {
    if (i >= sorted_) sort_through(i);
    return candidates_[i];
  }
  std::uint32_t count() const noexcept { return count_; }

 private:
  void sort_through(std::uint32_t i) noexcept;

  Candidate* candidates_;
  std::uint32_t count_, sorted_ = 0;
};

}  // namespace tessera::boxdecode
