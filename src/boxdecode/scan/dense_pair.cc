// Pair heads in dense memory, any element type: per pixel the classes stand side by side. A cell is entered only if one
// of its classes passes the gate.

#include "boxdecode/scan/dense_classes.h"
#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {

template <class E>
void scan_dense_generic(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  FirstMax* const first_max = element_loops<E>(*job.plan.scanner).first_max;
  for_each_open_cell<E>(job, [&](const std::byte* at, std::int32_t row, std::int32_t col) {
    const int best = first_max(at, job.plan.classes);
    offer_single<E>(job, row, col, best, class_word<E>(at, best));
  });
}

template <class E>
void scan_dense_multi_label(const ScanJob& job) noexcept {
  if (job.head.reject_all) return;
  const ElementLoops& loops = element_loops<E>(*job.plan.scanner);
  for_each_open_cell<E>(job, [&](const std::byte* at, std::int32_t row, std::int32_t col) {
    Slot slot(job, {row, col, 0}, 1.0f);
    for_each_open_class<E>(loops, at, job.plan.classes, job.head.gate,
                           [&](int c) { slot.offer(c, score_of<E>(job, class_word<E>(at, c), job.head.score.quant)); });
  });
}

template void scan_dense_generic<F32>(const ScanJob&) noexcept;
template void scan_dense_generic<BF16>(const ScanJob&) noexcept;
template void scan_dense_generic<S8>(const ScanJob&) noexcept;
template void scan_dense_multi_label<F32>(const ScanJob&) noexcept;
template void scan_dense_multi_label<BF16>(const ScanJob&) noexcept;
template void scan_dense_multi_label<S8>(const ScanJob&) noexcept;

}  // namespace tessera::boxdecode
