// One class, blocked BF16: lane 0 of one group per cell, whatever the channel tile; walks runs of groups. No scratch,
// no second pass.

#include <bit>

#include "boxdecode/scan/dense_classes.h"
#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

void scan_packed_single_bf16(const ScanJob& job) noexcept {
  const BlockedAddress& tiles = job.head.score.tiles;
  const ChannelPlace place = tiles.place(0);
  const OneLaneGate& gate = *job.plan.scanner->bf16_stripes->one_lane_gate;
  for_each_group_run(tiles, job.window, kBlock, [&](const GroupRun& run) {
    const std::byte* groups = job.data(job.head.score) + group_of(tiles, place, run);
    for (std::uint64_t open = gate(groups, 0, run.count, job.head.gate); open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      const auto [y, x] = run.pixel(i);
      offer_single<BF16>(job, static_cast<std::int32_t>(y) - job.window.y, static_cast<std::int32_t>(x) - job.window.x,
                         0, split_word(groups + i * tiles.group_bytes(), 0));
    }
  });
}

}  // namespace tessera::boxdecode
