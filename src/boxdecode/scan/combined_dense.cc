// Combined heads in dense memory. Per pixel, slot after slot:  x y w h objectness class0 class1 ...
// The objectness planes are gated 64 cells at a time before anything else is read; only cells with a surviving slot are
// entered, and only their surviving slots are evaluated.

#include <bit>
#include <type_traits>

#include "boxdecode/families/anchor_grid.h"
#include "boxdecode/scan/route.h"

namespace tessera::boxdecode {
namespace {

constexpr int kFields = 5, kObjectness = 4, kBlock = 64;

template <class E>
const ElementLoops& loops(const Scanner& scanner) noexcept {
  if constexpr (std::is_same_v<E, F32>) return scanner.f32;
  if constexpr (std::is_same_v<E, BF16>) return scanner.bf16;
  return scanner.s8;
}

/// One slot that passed the objectness gate.
template <class E>
class Slot {
 public:
  Slot(const ScanJob& job, const std::byte* at, int anchor, std::int32_t row, std::int32_t col,
       std::uint32_t index) noexcept
      : job_(job),
        at_(at),
        anchor_(anchor),
        row_(row),
        col_(col),
        index_(index),
        objectness_(score_of(word(kObjectness))) {}

  const std::byte* classes() const noexcept { return at_ + kFields * sizeof(typename E::Word); }

  /// The final check, the only definition of admission: objectness * class finite and >= T.
  bool admits(float class_score, float& base) const noexcept {
    base = positive_zero(objectness_ * class_score);
    return std::isfinite(base) && base >= job_.plan.threshold;
  }
  float score_of(typename E::Word word) const noexcept {
    return activate(job_.head.activation, positive_zero(E::value(word, job_.head.quant)));
  }
  typename E::Word class_word(int c) const noexcept { return word(kFields + c); }

  Box box() const noexcept {
    const HeadPlan& head = job_.head;
    float raw[4];
    for (int i = 0; i < 4; ++i) raw[i] = E::value(word(i), head.quant);
    return decode_anchor_grid(head.grid, anchor_, raw, static_cast<float>(col_), static_cast<float>(row_), head.stride);
  }
  /// Of an admitted class; box is proper.
  void emit(std::uint32_t ordinal, int c, float class_score, float base, const Box& box) const noexcept {
    const float rank = job_.rank.rank(objectness_, class_score, base, box);
    if (std::isfinite(rank)) job_.store.add(rank, ordinal, c, box);
  }
  std::uint32_t index() const noexcept { return index_; }

 private:
  typename E::Word word(int field) const noexcept {
    return load<E>(at_ + static_cast<std::size_t>(field) * sizeof(typename E::Word));
  }

  const ScanJob& job_;
  const std::byte* at_;
  int anchor_;
  std::int32_t row_, col_;
  std::uint32_t index_;
  float objectness_;
};

/// The best class by raw key, then the final check.
struct SingleLabel {
  template <class E>
  static void visit(const ScanJob& job, const Slot<E>& slot) noexcept {
    const int best = loops<E>(*job.plan.scanner).first_max(slot.classes(), job.plan.classes);
    // Under Sigmoid a class below the cutoff cannot reach T with any objectness <= 1.
    if (job.head.activation == ScoreActivation::Sigmoid && key<E>(slot.class_word(best)) < job.head.cutoff.key) return;
    const float class_score = slot.score_of(slot.class_word(best));
    float base = 0;
    if (!slot.admits(class_score, base)) return;
    const Box box = slot.box();
    if (proper(box)) slot.emit(slot.index(), best, class_score, base, box);
  }
};

/// Every class on its own, ascending; the box is decoded once, when the first class is admitted.
struct MultiLabel {
  template <class E>
  static void visit(const ScanJob& job, const Slot<E>& slot) noexcept {
    const int classes = job.plan.classes;
    Box box{};
    bool decoded = false;
    for (int from = 0; from < classes; from += kBlock) {
      const int count = classes - from < kBlock ? classes - from : kBlock;
      const std::byte* first = slot.classes() + static_cast<std::size_t>(from) * sizeof(typename E::Word);
      std::uint64_t mask = loops<E>(*job.plan.scanner).dense_gate(first, count, job.head.gate);
      for (; mask != 0; mask &= mask - 1) {
        const int c = from + std::countr_zero(mask);
        const float class_score = slot.score_of(slot.class_word(c));
        float base = 0;
        if (!slot.admits(class_score, base)) continue;
        if (!decoded) {
          box = slot.box();
          if (!proper(box)) return;
          decoded = true;
        }
        const auto ordinal =
            std::uint64_t{slot.index()} * static_cast<std::uint64_t>(classes) + static_cast<std::uint64_t>(c);
        slot.emit(static_cast<std::uint32_t>(ordinal), c, class_score, base, box);
      }
    }
  }
};

/// Columns [x, x + count) of one row of the window, count <= 64; at: slot 0 of the first of them.
template <class E, class Labels>
void scan_block(const ScanJob& job, const std::byte* at, std::int32_t row, std::int32_t col, int count) noexcept {
  constexpr std::int64_t kElement = sizeof(typename E::Word);
  const HeadPlan& head = job.head;
  const int slots = head.grid.slots;
  const std::int64_t slot_bytes = (job.plan.classes + kFields) * kElement;
  std::uint64_t open[AnchorGrid::kMaxSlots], any = 0;
  for (int slot = 0; slot < slots; ++slot) {
    const std::byte* plane = at + slot * slot_bytes + kObjectness * kElement;
    open[slot] = loops<E>(*job.plan.scanner).sparse_gate(plane, head.address.pixel, count, head.gate);
    any |= open[slot];
  }
  for (; any != 0; any &= any - 1) {
    const int i = std::countr_zero(any);
    const std::uint32_t cell = static_cast<std::uint32_t>(row) * static_cast<std::uint32_t>(job.window.w) +
                               static_cast<std::uint32_t>(col + i);
    const std::uint32_t first = head.first_slot + cell * static_cast<std::uint32_t>(slots);
    for (int slot = 0; slot < slots; ++slot) {
      if ((open[slot] >> i & 1) == 0) continue;
      const std::byte* start = at + i * head.address.pixel + slot * slot_bytes;
      Labels::visit(job, Slot<E>(job, start, slot, row, col + i, first + static_cast<std::uint32_t>(slot)));
    }
  }
}

template <class E, class Labels>
void scan_window(const ScanJob& job) noexcept {
  const HeadPlan& head = job.head;
  if (head.reject_all) return;
  const std::byte* data = job.inputs[static_cast<std::size_t>(head.port)].data();
  for (std::int32_t row = 0; row < job.window.h; ++row) {
    const std::byte* line = data + (job.window.y + row) * head.address.row;
    for (std::int32_t col = 0; col < job.window.w; col += kBlock) {
      const std::int32_t left = job.window.w - col;
      scan_block<E, Labels>(job, line + (job.window.x + col) * head.address.pixel, row, col,
                            left < kBlock ? left : kBlock);
    }
  }
}

}  // namespace

template <class E>
void scan_combined_dense(const ScanJob& job) noexcept {
  scan_window<E, SingleLabel>(job);
}
template <class E>
void scan_combined_dense_multi_label(const ScanJob& job) noexcept {
  scan_window<E, MultiLabel>(job);
}

template void scan_combined_dense<F32>(const ScanJob&) noexcept;
template void scan_combined_dense<BF16>(const ScanJob&) noexcept;
template void scan_combined_dense<S8>(const ScanJob&) noexcept;
template void scan_combined_dense_multi_label<F32>(const ScanJob&) noexcept;
template void scan_combined_dense_multi_label<BF16>(const ScanJob&) noexcept;
template void scan_combined_dense_multi_label<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
