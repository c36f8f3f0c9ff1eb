#pragma once
// One slot that passed its gates: the final check, its box, and the candidate.

#include "boxdecode/families/slot_box.h"
#include "boxdecode/numbers.h"
#include "boxdecode/read.h"
#include "boxdecode/scan/route.h"

namespace tessera::boxdecode {

/// Position of a slot in the window.
struct Place {
  std::int32_t row, col;
  int slot;  ///< anchor slot; 0 where a cell has one
};

/// Emits the admitted classes of one slot. `objectness` is 1 where the family has none.
class Slot {
 public:
  Slot(const ScanJob& job, Place place, float objectness) noexcept
      : job_(job), place_(place), objectness_(objectness) {}

  /// Applies the final check to a class and, if it holds, emits a candidate.
  void offer(int class_id, float class_score) noexcept {
    const float base = positive_zero(objectness_ * class_score);
    // The only definition of admission: finite and >= T.
    if (!std::isfinite(base) || !(base >= job_.plan.threshold)) return;
    if (!decoded_) decode();
    if (!proper_) return;
    const float rank = job_.rank.rank(objectness_, class_score, base, box_);
    if (std::isfinite(rank)) job_.store.add(rank, ordinal(class_id), class_id, box_);
  }

 private:
  void decode() noexcept {
    const Window& window = job_.window;
    box_ = slot_box(job_.head, job_.inputs, {window.y + place_.row, window.x + place_.col, place_.row, place_.col},
                    place_.slot);
    proper_ = proper(box_);
    decoded_ = true;
  }
  std::uint32_t ordinal(int class_id) const noexcept {
    const auto cell = static_cast<std::uint32_t>(place_.row) * static_cast<std::uint32_t>(job_.window.w) +
                      static_cast<std::uint32_t>(place_.col);
    const std::uint32_t index = job_.head.first_slot + cell * static_cast<std::uint32_t>(job_.head.grid.slots) +
                                static_cast<std::uint32_t>(place_.slot);
    if (!job_.plan.multi_label) return index;
    return index * static_cast<std::uint32_t>(job_.plan.classes) + static_cast<std::uint32_t>(class_id);
  }

  const ScanJob& job_;
  Place place_;
  float objectness_;
  Box box_{};
  bool decoded_ = false, proper_ = false;
};

/// Activated score of a stored word.
template <class E>
float score_of(const ScanJob& job, typename E::Word word, Quant quant) noexcept {
  return activate(job.head.activation, positive_zero(E::value(word, quant)));
}

/// A single-label slot of a family without objectness.
template <class E>
void offer_single(const ScanJob& job, std::int32_t row, std::int32_t col, int class_id,
                  typename E::Word word) noexcept {
  Slot(job, {row, col, 0}, 1.0f).offer(class_id, score_of<E>(job, word, job.head.score.quant));
}

template <class E>
const ElementLoops& element_loops(const Scanner& scanner) noexcept {
  if constexpr (std::is_same_v<E, F32>) return scanner.f32;
  if constexpr (std::is_same_v<E, BF16>) return scanner.bf16;
  return scanner.s8;
}
template <class E>
const StripeLoops& stripe_loops(const Scanner& scanner) noexcept {
  if constexpr (std::is_same_v<E, BF16>) return *scanner.bf16_stripes;
  return *scanner.s8_stripes;
}

}  // namespace tessera::boxdecode
