#pragma once
// What the striped single-label routes share: blocked classes are walked in storage order, so a cell is complete only
// after its last channel tile. Best key and class of each cell wait in scratch.

#include <algorithm>
#include <bit>

#include "boxdecode/scan/dense_classes.h"
#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

/// Keys are cleared on every call. A class is written when its cell first leaves key 0; only where key 0 itself is
/// admitted (least_key 0) can a class be read that was never written.
inline void clear_cells(const ScanJob& job) noexcept {
  const std::size_t cells = static_cast<std::size_t>(job.window.h) * static_cast<std::size_t>(job.window.w);
  std::fill_n(job.cells.keys, cells, std::uint16_t{0});
  if (job.head.least_key == 0) std::fill_n(job.cells.classes, cells, std::uint16_t{0});
}

/// Every cell whose best key reaches the cutoff. E::word_of undoes the key; both zeros are +0 by then, as they count.
template <class E>
void offer_cells(const ScanJob& job) noexcept {
  const std::uint16_t* keys = job.cells.keys;
  const std::uint16_t* classes = job.cells.classes;
  for (std::int32_t row = 0; row < job.window.h; ++row, keys += job.window.w, classes += job.window.w) {
    for (std::int32_t col = 0; col < job.window.w; ++col) {
      if (keys[col] >= job.head.least_key) offer_single<E>(job, row, col, classes[col], word_of<E>(keys[col]));
    }
  }
}

/// A stripe of a channel tile: where it is and what it holds.
struct Stripe {
  ChannelPlace place;
  std::int64_t first_class = 0;
  int lanes = 0;  ///< active ones, 1...16
};

/// Storage order: visit(stripe) for each stripe of each channel tile.
template <class Visit>
void for_each_stripe(const BlockedAddress& tiles, Visit&& visit) noexcept {
  for (std::int64_t tile = 0; tile < tiles.channel_tiles(); ++tile) {
    const std::int64_t first = tile * tiles.tile_c, channels = tiles.tile_channels(tile);
    for (std::int64_t k = 0; k < channels; k += kLanes) {
      visit(Stripe{tiles.place(first + k), first + k, static_cast<int>(std::min(kLanes, channels - k))});
    }
  }
}

/// Runs of one stripe inside the window: visit(groups, cell, count); cell counts inside the window.
template <class Visit>
void for_each_stripe_run(const ScanJob& job, const Stripe& stripe, Visit&& visit) noexcept {
  const BlockedAddress& tiles = job.head.score.tiles;
  const std::byte* data = job.data(job.head.score);
  for_each_run(tiles, job.window, kBlock, [&](std::int64_t y, std::int64_t x, int count) {
    visit(data + tiles.group(stripe.place, y, x), (y - job.window.y) * job.window.w + (x - job.window.x), count);
  });
}

/// Strict improvement only: the first of equal classes stays.
inline void improve(const CellScratch& cells, std::int64_t cell, std::uint32_t key, std::int64_t class_id) noexcept {
  if (key <= cells.keys[cell]) return;
  cells.keys[cell] = static_cast<std::uint16_t>(key);
  cells.classes[cell] = static_cast<std::uint16_t>(class_id);
}

/// Reduces one stripe of every cell: groups that cannot reach the cutoff are passed over unread.
template <class E>
void reduce_stripe(const ScanJob& job, const Stripe& stripe, LaneMask lanes) noexcept {
  const StripeLoops& loops = stripe_loops<E>(*job.plan.scanner);
  for_each_stripe_run(job, stripe, [&](const std::byte* groups, std::int64_t cell, int count) {
    std::uint64_t open = loops.open_groups(groups, count, job.head.least_key, lanes);
    for (; open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      const StripeBest best = loops.best(groups + i * job.head.score.tiles.group_bytes(), lanes);
      improve(job.cells, cell + i, best.key, stripe.first_class + best.lane);
    }
  });
}

inline LaneMask lane_mask(int lanes) noexcept { return (LaneMask{1} << lanes) - 1; }

}  // namespace tessera::boxdecode
