// Blocked Int8 with padding lanes: they are masked, so they never win.

#include "boxdecode/scan/packed_stripes.h"

namespace tessera::boxdecode {
namespace {

/// Strict improvement only: the first of equal classes stays.
void improve(const CellScratch& cells, std::int64_t cell, std::uint32_t key, std::int64_t class_id) noexcept {
  if (key <= cells.keys[cell]) return;
  cells.keys[cell] = static_cast<std::uint16_t>(key);
  cells.classes[cell] = static_cast<std::uint16_t>(class_id);
}

// A stripe with one active lane: its byte is its key, its first channel its class; nothing to reduce.
void reduce_singleton(const ScanJob& job, const Stripe& stripe, const GroupRun& run) noexcept {
  const std::byte* groups = groups_of(job, stripe, run);
  const CellScratch cells = cells_of(job, run);
  for (int from = 0; from < run.count; from += kBlock, groups += kBlock * kLanes) {
    const int count = run.count - from < kBlock ? run.count - from : kBlock;
    std::uint64_t open = job.plan.scanner->s8_stripes->one_lane_gate(groups, 0, count, job.head.gate);
    for (; open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      improve(cells, from + i, key<S8>(load<S8>(groups + i * kLanes)), stripe.first_class);
    }
  }
}

}  // namespace

void scan_packed_partial_int8(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  clear_cells(job);
  for_each_stripe_run(job, kWholeRuns, [&](const Stripe& stripe, const GroupRun& run) {
    reduce_stripe<S8>(job, stripe, run, lane_mask(stripe.lanes));
  });
  offer_cells<S8>(job);
}

void scan_packed_partial_int8_singleton(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  clear_cells(job);
  for_each_stripe_run(job, kWholeRuns, [&](const Stripe& stripe, const GroupRun& run) {
    if (stripe.lanes == 1) {
      reduce_singleton(job, stripe, run);
    } else {
      reduce_stripe<S8>(job, stripe, run, lane_mask(stripe.lanes));
    }
  });
  offer_cells<S8>(job);
}

}  // namespace tessera::boxdecode
