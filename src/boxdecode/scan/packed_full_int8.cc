// Blocked Int8 whose stripes are all full: raw bytes against the raw cutoff, no masks; only stripes that reach it form
// keys.

#include "boxdecode/scan/packed_stripes.h"

namespace tessera::boxdecode {

void scan_packed_full_int8(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  clear_cells(job);
  for_each_stripe_run(job, kWholeRuns, [&](const Stripe& stripe, const GroupRun& run) {
    reduce_stripe<S8>(job, stripe, run, kAllLanes);
  });
  offer_cells<S8>(job);
}

}  // namespace tessera::boxdecode
