// One class, blocked BF16: lane 0 of one group per cell, whatever the channel tile; walks row runs. No scratch, no
// second pass.

#include <bit>

#include "boxdecode/scan/dense_classes.h"
#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

void scan_packed_single_bf16(const ScanJob& job) noexcept {
  const BlockedAddress& tiles = job.head.score.tiles;
  const std::byte* data = job.data(job.head.score);
  const ChannelPlace place = tiles.place(0);
  const StripeLoops& loops = *job.plan.scanner->bf16_stripes;
  for_each_run(tiles, job.window, kBlock, [&](std::int64_t y, std::int64_t x, int count) {
    const std::byte* group = data + tiles.group(place, y, x);
    std::uint64_t open = loops.one_lane_gate(group, 0, count, job.head.gate);
    for (; open != 0; open &= open - 1) {
      const int i = std::countr_zero(open);
      offer_single<BF16>(job, static_cast<std::int32_t>(y) - job.window.y,
                         static_cast<std::int32_t>(x) + i - job.window.x, 0,
                         split_word(group + i * tiles.group_bytes(), 0));
    }
  });
}

}  // namespace tessera::boxdecode
