#pragma once
// The classes of one slot in blocked memory: pieces of stripes, each with the lanes that belong to the slot.

#include <algorithm>
#include <bit>

#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

/// Channels [first, first + count) of one pixel, stripe by stripe, ascending: visit(group, lanes, class of lane 0).
/// The class of lane 0 may be negative where other channels share the stripe.
template <class Visit>
void for_each_piece(const BlockedAddress& tiles, const std::byte* data, std::int64_t y, std::int64_t x,
                    std::int64_t first, std::int64_t count, Visit&& visit) noexcept {
  for (std::int64_t channel = first; channel < first + count;) {
    const ChannelPlace place = tiles.place(channel);
    const std::int64_t tile_end = (channel / tiles.tile_c + 1) * tiles.tile_c;
    const std::int64_t lanes = std::min({kLanes - place.lane, first + count - channel, tile_end - channel});
    const LaneMask mask = ((LaneMask{1} << lanes) - 1) << place.lane;
    visit(data + tiles.group(place, y, x), mask, static_cast<int>(channel - first) - place.lane);
    channel += lanes;
  }
}

/// Greatest class of a slot by raw key; the first of equal ones.
struct ClassBest {
  std::uint32_t key = 0;
  int class_id = 0;
};
template <class E>
ClassBest best_class(const StripeLoops& loops, const BlockedAddress& tiles, const std::byte* data, std::int64_t y,
                     std::int64_t x, std::int64_t first, std::int64_t count) noexcept {
  ClassBest best;
  for_each_piece(tiles, data, y, x, first, count, [&](const std::byte* group, LaneMask lanes, int class_of_lane_0) {
    const StripeBest piece = loops.best(group, lanes);
    if (piece.key > best.key) best = {piece.key, class_of_lane_0 + piece.lane};
  });
  return best;
}

/// visit(class, word) for every class of a slot inside the gate, ascending.
template <class E, class Visit>
void for_each_open_lane(const StripeLoops& loops, const BlockedAddress& tiles, const std::byte* data, std::int64_t y,
                        std::int64_t x, std::int64_t first, std::int64_t count, RawInterval gate,
                        Visit&& visit) noexcept {
  for_each_piece(tiles, data, y, x, first, count, [&](const std::byte* group, LaneMask lanes, int class_of_lane_0) {
    for (LaneMask hit = loops.lane_gate(group, gate, lanes); hit != 0; hit &= hit - 1) {
      const int lane = std::countr_zero(hit);
      visit(class_of_lane_0 + lane, lane_word<E>(group, lane));
    }
  });
}

/// The slot's classes, single-label or multi-label. E: element type; first: the slot's class 0 in `score`.
template <class E>
void offer_lane_classes(const ScanJob& job, Slot& slot, std::int64_t y, std::int64_t x, std::int64_t first) noexcept {
  const InputPlan& score = job.head.score;
  const StripeLoops& loops = stripe_loops<E>(*job.plan.scanner);
  const auto offer = [&](int c, typename E::Word word) { slot.offer(c, score_of<E>(job, word, score.quant)); };
  if (job.plan.multi_label) {
    for_each_open_lane<E>(loops, score.tiles, job.data(score), y, x, first, job.plan.classes, job.head.gate, offer);
    return;
  }
  const ClassBest best = best_class<E>(loops, score.tiles, job.data(score), y, x, first, job.plan.classes);
  if (best.key >= job.head.least_key) offer(best.class_id, word_of<E>(best.key));
}

}  // namespace tessera::boxdecode
