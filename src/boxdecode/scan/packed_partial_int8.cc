// Blocked Int8 with padding lanes: they are masked, so they never win.

#include "boxdecode/scan/packed_stripes.h"

namespace tessera::boxdecode {
namespace {

// A stripe with one active lane: its byte is its key, its first channel its class; nothing to reduce.
void reduce_singleton(const ScanJob& job, const Stripe& stripe) noexcept {
  const StripeLoops& loops = *job.plan.scanner->s8_stripes;
  for_each_stripe_run(job, stripe, [&](const std::byte* groups, std::int64_t cell, int count) {
    std::uint64_t open = loops.one_lane_gate(groups, 0, count, job.head.gate);
    for (; open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      improve(job.cells, cell + i, key<S8>(load<S8>(groups + i * kLanes)), stripe.first_class);
    }
  });
}

}  // namespace

void scan_packed_partial_int8(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  clear_cells(job);
  for_each_stripe(job.head.score.tiles,
                  [&](const Stripe& stripe) { reduce_stripe<S8>(job, stripe, lane_mask(stripe.lanes)); });
  offer_cells<S8>(job);
}

void scan_packed_partial_int8_singleton(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  clear_cells(job);
  for_each_stripe(job.head.score.tiles, [&](const Stripe& stripe) {
    if (stripe.lanes == 1) {
      reduce_singleton(job, stripe);
    } else {
      reduce_stripe<S8>(job, stripe, lane_mask(stripe.lanes));
    }
  });
  offer_cells<S8>(job);
}

}  // namespace tessera::boxdecode
