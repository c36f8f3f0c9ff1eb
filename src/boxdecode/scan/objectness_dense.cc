// Heads with an objectness tensor of their own; classes in dense memory. Named after the layout of the score tensor.

#include "boxdecode/scan/dense_classes.h"
#include "boxdecode/scan/objectness_gate.h"

namespace tessera::boxdecode {

template <class E>
void scan_objectness_dense(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  const InputPlan& score = job.head.score;
  const std::byte* data = job.data(score);
  for_each_open_objectness<E>(job, [&](Slot& slot, std::int64_t y, std::int64_t x) {
    offer_dense_classes<E>(job, slot, data + y * score.dense.row + x * score.dense.pixel);
  });
}

template void scan_objectness_dense<F32>(const ScanJob&) noexcept;
template void scan_objectness_dense<BF16>(const ScanJob&) noexcept;
template void scan_objectness_dense<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
