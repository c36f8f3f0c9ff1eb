// Combined heads in dense memory. Per pixel, slot after slot:  x y w h objectness class0 class1 ...
// The objectness planes are gated 64 cells at a time before anything else is read; only cells with a surviving slot are
// entered, and only their surviving slots are evaluated.

#include "boxdecode/scan/dense_classes.h"

namespace tessera::boxdecode {
namespace {

constexpr int kFields = 5, kObjectness = 4;

template <class E>
void visit_slot(const ScanJob& job, const std::byte* at, Place place) noexcept {
  constexpr std::size_t kElement = sizeof(typename E::Word);
  const auto objectness = load<E>(at + kObjectness * kElement);
  Slot slot(job, place, score_of<E>(job, objectness, job.head.score.quant));
  offer_dense_classes<E>(job, slot, at + kFields * kElement);
}

/// Columns [col, col + count) of one row of the window, count <= 64; at: slot 0 of the first of them.
template <class E>
void scan_block(const ScanJob& job, const std::byte* at, std::int32_t row, std::int32_t col, int count) noexcept {
  constexpr std::int64_t kElement = sizeof(typename E::Word);
  const HeadPlan& head = job.head;
  const std::int64_t pixel = head.score.dense.pixel, slot_bytes = head.slot_channels * kElement;
  std::uint64_t open[AnchorGrid::kMaxSlots], any = 0;
  for (int slot = 0; slot < head.grid.slots; ++slot) {
    const std::byte* plane = at + slot * slot_bytes + kObjectness * kElement;
    open[slot] = element_loops<E>(*job.plan.scanner).sparse_gate(plane, pixel, count, head.objectness_gate);
    any |= open[slot];
  }
  for (; any != 0; any &= any - 1) {
    const int i = std::countr_zero(any);
    for (int slot = 0; slot < head.grid.slots; ++slot) {
      if ((open[slot] >> i & 1) != 0) {
        visit_slot<E>(job, at + i * pixel + slot * slot_bytes, {row, col + i, slot});
      }
    }
  }
}

}  // namespace

template <class E>
void scan_combined_dense(const ScanJob& job) noexcept {
  const HeadPlan& head = job.head;
  if (head.reject_all) return;
  const DenseAddress& address = head.score.dense;
  for (std::int32_t row = 0; row < job.window.h; ++row) {
    const std::byte* line = job.data(head.score) + (job.window.y + row) * address.row;
    for (std::int32_t col = 0; col < job.window.w; col += kBlock) {
      const std::int32_t left = job.window.w - col;
      scan_block<E>(job, line + (job.window.x + col) * address.pixel, row, col, left < kBlock ? left : kBlock);
    }
  }
}

template void scan_combined_dense<F32>(const ScanJob&) noexcept;
template void scan_combined_dense<BF16>(const ScanJob&) noexcept;
template void scan_combined_dense<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
