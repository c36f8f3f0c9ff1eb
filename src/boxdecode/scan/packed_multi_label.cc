// Blocked pair heads in multi-label mode: every class above the gate is offered as it is met in storage order; ordinals
// put the candidates in order later.

#include "boxdecode/scan/packed_stripes.h"

namespace tessera::boxdecode {
namespace {

/// The open classes of one group.
template <class E>
void offer_lanes(const ScanJob& job, const Stripe& stripe, const GroupRun::Pixel& at, const std::byte* group) noexcept {
  const LaneGate& gate = *stripe_loops<E>(*job.plan.scanner).lane_gate;
  Slot slot(job, {static_cast<std::int32_t>(at.y) - job.window.y, static_cast<std::int32_t>(at.x) - job.window.x, 0},
            1.0f);
  for (LaneMask hit = gate(group, job.head.gate, lane_mask(stripe.lanes)); hit != 0; hit &= hit - 1) {
    const int lane = std::countr_zero(hit);
    slot.offer(static_cast<int>(stripe.first_class) + lane,
               score_of<E>(job, lane_word<E>(group, lane), job.head.score.quant));
  }
}

}  // namespace

template <class E>
void scan_packed_multi_label(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  const OpenGroups& open_groups = *stripe_loops<E>(*job.plan.scanner).open_groups;
  for_each_stripe_run(job, kBlock, [&](const Stripe& stripe, const GroupRun& run) {
    const std::byte* groups = groups_of(job, stripe, run);
    std::uint64_t open = open_groups(groups, run.count, job.head.least_key, lane_mask(stripe.lanes));
    for (; open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      offer_lanes<E>(job, stripe, run.pixel(i), groups + i * job.head.score.tiles.group_bytes());
    }
  });
}

template void scan_packed_multi_label<BF16>(const ScanJob&) noexcept;
template void scan_packed_multi_label<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
