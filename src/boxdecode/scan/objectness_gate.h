#pragma once
// The objectness of adjacent cells: a tensor of its own, with its own layout and quantisation.

#include <bit>

#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

/// Cells [x, x + count) of row y, count <= 64, whose objectness lies inside the gate: bit i for x + i. E: element type.
template <class E>
std::uint64_t dense_objectness(const ScanJob& job, std::int64_t y, std::int64_t x, int count) noexcept {
  const InputPlan& input = job.head.objectness;
  const std::byte* at = job.data(input) + y * input.dense.row + x * input.dense.pixel;
  const RawInterval gate = job.head.objectness_gate;
  if (input.dense.pixel == input.dense.element) {
    return element_loops<E>(*job.plan.scanner).dense_gate(at, count, gate);
  }
  using Word = typename E::Word;
  std::uint64_t open = 0;  // one by one: a wider load would touch padding that need not exist
  for (int i = 0; i < count; ++i) {
    const auto distance = static_cast<Word>(load<E>(at + i * input.dense.pixel) - static_cast<Word>(gate.lo));
    open |= std::uint64_t{distance <= static_cast<Word>(gate.span)} << i;
  }
  return open;
}

template <class E>
std::uint64_t blocked_objectness(const ScanJob& job, std::int64_t y, std::int64_t x, int count) noexcept {
  if constexpr (std::is_same_v<E, F32>) {
    return 0;  // never blocked
  } else {
    const InputPlan& input = job.head.objectness;
    const ChannelPlace place = input.tiles.place(0);
    std::uint64_t open = 0;
    for (int done = 0; done < count;) {  // its runs end where its own tiles do
      const std::int64_t run = input.tiles.run_length(x + done);
      const int part = run < count - done ? static_cast<int>(run) : count - done;
      const std::byte* group = job.data(input) + input.tiles.group(place, y, x + done);
      open |= stripe_loops<E>(*job.plan.scanner).one_lane_gate(group, 0, part, job.head.objectness_gate) << done;
      done += part;
    }
    return open;
  }
}

/// Calls visit(slot, y, x) for every cell of the window whose objectness passes, in logical order.
template <class E, class Visit>
void for_each_open_cell(const ScanJob& job, Visit&& visit) noexcept {
  const InputPlan& input = job.head.objectness;
  const Window& window = job.window;
  for (std::int32_t row = 0; row < window.h; ++row) {
    for (std::int32_t col = 0; col < window.w; col += 64) {
      const int count = window.w - col < 64 ? window.w - col : 64;
      const std::int64_t y = window.y + row, x = window.x + col;
      std::uint64_t open =
          input.blocked ? blocked_objectness<E>(job, y, x, count) : dense_objectness<E>(job, y, x, count);
      for (; open != 0; open &= open - 1) {
        const int i = std::countr_zero(open);
        const float raw = read_value(input, job.data(input), y, x + i, 0);
        Slot slot(job, {row, col + i, 0}, activate(job.head.activation, positive_zero(raw)));
        visit(slot, y, x + i);
      }
    }
  }
}

}  // namespace tessera::boxdecode
