// Heads with an objectness tensor of their own; classes in blocked memory. A cell that passes is evaluated where it
// lies, tile by tile.

#include "boxdecode/scan/lane_classes.h"
#include "boxdecode/scan/objectness_gate.h"

namespace tessera::boxdecode {

template <class E>
void scan_objectness_packed(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  for_each_open_objectness<E>(
      job, [&](Slot& slot, std::int64_t y, std::int64_t x) { offer_lane_classes<E>(job, slot, y, x, 0); });
}

template void scan_objectness_packed<BF16>(const ScanJob&) noexcept;
template void scan_objectness_packed<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
