// One class, dense BF16: one word per cell, compared as a raw word. Reads nothing else, so padding may lie in memory
// that does not exist. No class reduction: the class is 0.

#include <bit>

#include "boxdecode/scan/dense_classes.h"
#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {
namespace {

// Words that are not adjacent are loaded one by one: a wider load would touch padding.
std::uint64_t gate_cells(const ElementLoops& loops, const std::byte* at, std::int64_t pixel, int count,
                         RawInterval gate) noexcept {
  if (pixel == 2) return loops.dense_gate(at, count, gate);
  std::uint64_t open = 0;
  for (int i = 0; i < count; ++i) {
    const auto distance = static_cast<std::uint16_t>(load<BF16>(at + i * pixel) - gate.lo);
    open |= std::uint64_t{distance <= gate.span} << i;
  }
  return open;
}

}  // namespace

void scan_dense_single_bf16(const ScanJob& job) noexcept {
  const InputPlan& score = job.head.score;
  const std::int64_t pixel = score.dense.pixel;
  for (std::int32_t row = 0; row < job.window.h; ++row) {
    const std::byte* line = job.data(score) + (job.window.y + row) * score.dense.row + job.window.x * pixel;
    for (std::int32_t from = 0; from < job.window.w; from += kBlock) {
      const std::byte* at = line + from * pixel;
      const int count = job.window.w - from < kBlock ? job.window.w - from : kBlock;
      std::uint64_t open = gate_cells(job.plan.scanner->bf16, at, pixel, count, job.head.gate);
      for (; open != 0; open &= open - 1) {
        const int i = std::countr_zero(open);
        offer_single<BF16>(job, row, from + i, 0, load<BF16>(at + i * pixel));
      }
    }
  }
}

}  // namespace tessera::boxdecode
