// Combined heads in blocked memory. Along each run of groups the objectness lanes of all slots are gated first; only
// cells with a surviving slot are entered. Slots are not stripe aligned: lanes of other slots in a shared stripe are
// masked.

#include "boxdecode/scan/lane_classes.h"

namespace tessera::boxdecode {
namespace {

constexpr int kFields = 5, kObjectness = 4, kRun = 64;

template <class E>
void visit_slot(const ScanJob& job, const std::byte* objectness_group, int lane, Place place) noexcept {
  const HeadPlan& head = job.head;
  Slot slot(job, place, score_of<E>(job, lane_word<E>(objectness_group, lane), head.score.quant));
  const std::int64_t first = std::int64_t{place.slot} * head.slot_channels + kFields;
  offer_lane_classes<E>(job, slot, job.window.y + place.row, job.window.x + place.col, first);
}

template <class E>
void scan_run(const ScanJob& job, const GroupRun& run) noexcept {
  const HeadPlan& head = job.head;
  const BlockedAddress& tiles = head.score.tiles;
  const int slots = head.grid.slots;
  const std::byte* groups[AnchorGrid::kMaxSlots];
  int lanes[AnchorGrid::kMaxSlots];
  std::uint64_t open[AnchorGrid::kMaxSlots], any = 0;
  for (int slot = 0; slot < slots; ++slot) {
    const ChannelPlace place = tiles.place(std::int64_t{slot} * head.slot_channels + kObjectness);
    groups[slot] = job.data(head.score) + group_of(tiles, place, run);
    lanes[slot] = place.lane;
    open[slot] =
        stripe_loops<E>(*job.plan.scanner).one_lane_gate(groups[slot], place.lane, run.count, head.objectness_gate);
    any |= open[slot];
  }
  for (; any != 0; any &= any - 1) {
    const int i = std::countr_zero(any);
    const auto [y, x] = run.pixel(i);
    const auto row = static_cast<std::int32_t>(y) - job.window.y, col = static_cast<std::int32_t>(x) - job.window.x;
    for (int slot = 0; slot < slots; ++slot) {
      if ((open[slot] >> i & 1) == 0) continue;
      visit_slot<E>(job, groups[slot] + i * tiles.group_bytes(), lanes[slot], {row, col, slot});
    }
  }
}

}  // namespace

template <class E>
void scan_combined_packed(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  for_each_group_run(job.head.score.tiles, job.window, kRun, [&](const GroupRun& run) { scan_run<E>(job, run); });
}

template void scan_combined_packed<BF16>(const ScanJob&) noexcept;
template void scan_combined_packed<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
