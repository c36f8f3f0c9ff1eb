#pragma once
// The objectness of the cells: a tensor of its own, with its own layout and quantisation. Only cells that pass are
// entered; everything else of the head stays unread.

#include <bit>

#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

/// visit(slot, y, x) for a cell of the head with this objectness.
template <class E, class Visit>
void enter_cell(const ScanJob& job, std::int64_t y, std::int64_t x, typename E::Word objectness,
                Visit&& visit) noexcept {
  const Place place{static_cast<std::int32_t>(y) - job.window.y, static_cast<std::int32_t>(x) - job.window.x, 0};
  Slot slot(job, place, score_of<E>(job, objectness, job.head.objectness.quant));
  visit(slot, y, x);
}

/// Index of the first of `count` pixels inside the gate, or `count`.
template <class E>
int first_open_pixel(const ScanJob& job, const std::byte* first, int count) noexcept {
  const DenseAddress& address = job.head.objectness.dense;
  const RawInterval gate = job.head.objectness_gate;
  const FirstOpen& first_open = *element_loops<E>(*job.plan.scanner).first_open;
  if (address.pixel == address.element) return first_open(first, count, gate);
  int i = 0;  // one by one: a wider load would touch padding that need not exist
  using Word = typename E::Word;
  const auto lo = static_cast<Word>(gate.lo), span = static_cast<Word>(gate.span);
  const auto outside = [&](typename E::Word word) { return static_cast<typename E::Word>(word - lo) > span; };
  while (i < count && outside(load<E>(first + i * address.pixel))) ++i;
  return i;
}

template <class E, class Visit>
void for_each_open_dense(const ScanJob& job, Visit&& visit) noexcept {
  const DenseAddress& address = job.head.objectness.dense;
  const Window& window = job.window;
  const DenseLines lines(address, window);
  const std::byte* line = job.data(job.head.objectness) + window.y * address.row + window.x * address.pixel;
  for (std::int32_t row = 0; row < lines.count; ++row, line += address.row) {
    for (std::int32_t i = 0; i < lines.cells; ++i) {
      i += first_open_pixel<E>(job, line + i * address.pixel, lines.cells - i);
      if (i == lines.cells) break;
      const std::int64_t y = window.y + row + i / window.w, x = window.x + i % window.w;
      enter_cell<E>(job, y, x, load<E>(line + i * address.pixel), visit);
    }
  }
}

template <class E, class Visit>
void for_each_open_lane_of_one(const ScanJob& job, Visit&& visit) noexcept {
  const BlockedAddress& tiles = job.head.objectness.tiles;
  const ChannelPlace place = tiles.place(0);
  const OneLaneGate& gate = *stripe_loops<E>(*job.plan.scanner).one_lane_gate;
  for_each_group_run(tiles, job.window, 64, [&](const GroupRun& run) {
    const std::byte* groups = job.data(job.head.objectness) + group_of(tiles, place, run);
    for (std::uint64_t open = gate(groups, 0, run.count, job.head.objectness_gate); open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      const auto [y, x] = run.pixel(i);
      enter_cell<E>(job, y, x, lane_word<E>(groups + i * tiles.group_bytes(), 0), visit);
    }
  });
}

/// Calls visit(slot, y, x) for every cell of the window whose objectness passes, as they are stored. E: element type.
template <class E, class Visit>
void for_each_open_objectness(const ScanJob& job, Visit&& visit) noexcept {
  if (!job.head.objectness.blocked) return for_each_open_dense<E>(job, visit);
  if constexpr (!std::is_same_v<E, F32>) for_each_open_lane_of_one<E>(job, visit);  // Float32 is never blocked
}

}  // namespace tessera::boxdecode
