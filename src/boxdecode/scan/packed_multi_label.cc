// Blocked pair heads in multi-label mode: every class above the gate is offered as it is met in storage order; ordinals
// put the candidates in order later.

#include "boxdecode/scan/packed_stripes.h"

namespace tessera::boxdecode {

template <class E>
void scan_packed_multi_label(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  const StripeLoops& loops = stripe_loops<E>(*job.plan.scanner);
  const std::int64_t step = job.head.score.tiles.group_bytes();
  for_each_stripe(job.head.score.tiles, [&](const Stripe& stripe) {
    const LaneMask lanes = lane_mask(stripe.lanes);
    for_each_stripe_run(job, stripe, [&](const std::byte* groups, std::int64_t cell, int count) {
      std::uint64_t open = loops.open_groups(groups, count, job.head.least_key, lanes);
      for (; open != 0; open &= open - 1) {
        const int i = std::countr_zero(open);
        const auto row = static_cast<std::int32_t>((cell + i) / job.window.w);
        const auto col = static_cast<std::int32_t>((cell + i) % job.window.w);
        Slot slot(job, {row, col, 0}, 1.0f);
        for (LaneMask hit = loops.lane_gate(groups + i * step, job.head.gate, lanes); hit != 0; hit &= hit - 1) {
          const int lane = std::countr_zero(hit);
          slot.offer(static_cast<int>(stripe.first_class) + lane,
                     score_of<E>(job, lane_word<E>(groups + i * step, lane), job.head.score.quant));
        }
      }
    });
  });
}

template void scan_packed_multi_label<BF16>(const ScanJob&) noexcept;
template void scan_packed_multi_label<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
