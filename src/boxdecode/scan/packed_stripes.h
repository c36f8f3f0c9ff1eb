#pragma once
// What the striped single-label routes share: blocked classes are walked in storage order, so a cell is complete only
// after its last channel tile. Best key and class of each cell wait in scratch, numbered as the cells are stored: then
// every stripe of a spatial tile is one run of groups with one run of scratch.

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
  FirstOpen* const first_open = job.plan.scanner->bf16.first_open;  // keys are 16-bit words
  const RawInterval reached{job.head.least_key, 0xFFFFu - job.head.least_key};
  for_each_group_run(job.head.score.tiles, job.window, kWholeRuns, [&](const GroupRun& run) {
    const std::uint16_t *keys = job.cells.keys + run.index, *classes = job.cells.classes + run.index;
    const auto next = [&](int i) {
      return i + first_open(reinterpret_cast<const std::byte*>(keys + i), run.count - i, reached);
    };
    for (int i = next(0); i < run.count; i = next(i + 1)) {
      const auto [y, x] = run.pixel(i);
      offer_single<E>(job, static_cast<std::int32_t>(y) - job.window.y, static_cast<std::int32_t>(x) - job.window.x,
                      classes[i], word_of<E>(keys[i]));
    }
  });
}

/// A stripe of a channel tile: where it is and what it holds.
struct Stripe {
  ChannelPlace place;
  std::int64_t first_class = 0;
  int lanes = 0;  ///< active ones, 1...16
};

/// Storage order: visit(stripe, run) for each stripe of each spatial tile of each channel tile.
template <class Visit>
void for_each_stripe_run(const ScanJob& job, std::int32_t most, Visit&& visit) noexcept {
  const BlockedAddress& tiles = job.head.score.tiles;
  for (std::int64_t tile = 0; tile < tiles.channel_tiles(); ++tile) {
    const std::int64_t first = tile * tiles.tile_c, channels = tiles.tile_channels(tile);
    ChannelPlace place = tiles.place(first);
    for_each_group_run(tiles, job.window, most, [&](const GroupRun& run) {
      for (place.stripe = 0; place.stripe * kLanes < channels; ++place.stripe) {
        const std::int64_t done = place.stripe * kLanes;
        visit(Stripe{place, first + done, static_cast<int>(std::min(kLanes, channels - done))}, run);
      }
    });
  }
}

/// Where a run's groups of a stripe are.
inline const std::byte* groups_of(const ScanJob& job, const Stripe& stripe, const GroupRun& run) noexcept {
  return job.data(job.head.score) + group_of(job.head.score.tiles, stripe.place, run);
}

inline CellScratch cells_of(const ScanJob& job, const GroupRun& run) noexcept {
  return {job.cells.keys + run.index, job.cells.classes + run.index};
}

/// Reduces one stripe of a run: groups that cannot reach the cutoff are passed over.
template <class E>
void reduce_stripe(const ScanJob& job, const Stripe& stripe, const GroupRun& run, LaneMask lanes) noexcept {
  stripe_loops<E>(*job.plan.scanner)
      .reduce(groups_of(job, stripe, run), run.count, job.head.least_key, lanes, static_cast<int>(stripe.first_class),
              cells_of(job, run));
}

inline LaneMask lane_mask(int lanes) noexcept { return (LaneMask{1} << lanes) - 1; }

}  // namespace tessera::boxdecode
