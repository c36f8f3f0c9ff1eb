// Several classes, blocked BF16: a stripe whose high bytes all lie beyond the bound is passed over before its words are
// rebuilt. Full tensors stream: no lane is masked.

#include "boxdecode/scan/packed_stripes.h"

namespace tessera::boxdecode {

void scan_packed_stripe_bf16(const ScanJob& job) noexcept {
  clear_cells(job);
  const bool streaming = job.head.score.tiles.full();
  for_each_stripe_run(job, kWholeRuns, [&](const Stripe& stripe, const GroupRun& run) {
    reduce_stripe<BF16>(job, stripe, run, streaming ? kAllLanes : lane_mask(stripe.lanes));
  });
  offer_cells<BF16>(job);
}

}  // namespace tessera::boxdecode
