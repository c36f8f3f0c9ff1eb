#pragma once
// The adjacent classes of one slot in dense memory, 64 at a time.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

inline constexpr int kBlock = 64;  ///< bits of a mask

template <class E>
typename E::Word class_word(const std::byte* classes, int c) noexcept {
  return load<E>(classes + static_cast<std::size_t>(c) * sizeof(typename E::Word));
}

/// Calls visit(c) for every class inside the gate, ascending.
template <class E, class Visit>
void for_each_open_class(const ElementLoops& loops, const std::byte* classes, int count, RawInterval gate,
                         Visit&& visit) noexcept {
  for (int from = 0; from < count; from += kBlock) {
    const std::byte* first = classes + static_cast<std::size_t>(from) * sizeof(typename E::Word);
    std::uint64_t open = loops.dense_gate(first, count - from < kBlock ? count - from : kBlock, gate);
    for (; open != 0; open &= open - 1) visit(from + std::countr_zero(open));
  }
}

/// Calls visit(at, row, col) for every cell of the window with a class inside the gate. Where pixels hold nothing but
/// classes, a line is one array: what lies between open cells is passed over without looking at cells at all.
template <class E, class Visit>
void for_each_open_cell(const ScanJob& job, Visit&& visit) noexcept {
  const DenseAddress& address = job.head.score.dense;
  const Window& window = job.window;
  FirstOpen* const first_open = element_loops<E>(*job.plan.scanner).first_open;
  const std::int32_t classes = job.plan.classes;
  const bool tight = address.pixel == classes * address.element;
  const DenseLines lines(address, window);
  const std::byte* line = job.data(job.head.score) + window.y * address.row + window.x * address.pixel;
  for (std::int32_t row = 0; row < lines.count; ++row, line += address.row) {
    for (std::int32_t i = 0; i < lines.cells;) {
      const std::int32_t left = (tight ? lines.cells - i : 1) * classes;
      const int open = first_open(line + i * address.pixel, left, job.head.gate);
      i += open / classes;
      if (open == left) continue;
      visit(line + i * address.pixel, row + i / window.w, i % window.w);
      ++i;
    }
  }
}

/// The classes of a slot, single-label or multi-label.
template <class E>
void offer_dense_classes(const ScanJob& job, Slot& slot, const std::byte* classes) noexcept {
  const ElementLoops& loops = element_loops<E>(*job.plan.scanner);
  const auto offer = [&](int c) { slot.offer(c, score_of<E>(job, class_word<E>(classes, c), job.head.score.quant)); };
  if (job.plan.multi_label) {
    for_each_open_class<E>(loops, classes, job.plan.classes, job.head.gate, offer);
    return;
  }
  const int best = loops.first_max(classes, job.plan.classes);
  if (key<E>(class_word<E>(classes, best)) >= job.head.least_key) offer(best);
}

}  // namespace tessera::boxdecode
