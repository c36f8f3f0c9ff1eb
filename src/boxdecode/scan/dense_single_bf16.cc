// One class, dense BF16: one word per cell, compared as a raw word. Reads nothing else, so padding may lie in memory
// that does not exist. No class reduction: the class is 0.

#include "boxdecode/scan/slot.h"

namespace tessera::boxdecode {
namespace {

// Words that are not adjacent are loaded one by one: a wider load would touch padding.
int first_open_cell(FirstOpen& first_open, const std::byte* at, std::int64_t pixel, int count,
                    RawInterval gate) noexcept {
  if (pixel == 2) return first_open(at, count, gate);
  const auto span = static_cast<std::uint16_t>(gate.span);
  int i = 0;
  while (i<count&& static_cast<std::uint16_t>(load<BF16>(at + i * pixel) - gate.lo)> span) ++i;
  return i;
}

}  // namespace

void scan_dense_single_bf16(const ScanJob& job) noexcept {
  const DenseAddress& address = job.head.score.dense;
  const Window& window = job.window;
  FirstOpen& first_open = *job.plan.scanner->bf16.first_open;
  const DenseLines lines(address, window);
  const std::byte* line = job.data(job.head.score) + window.y * address.row + window.x * address.pixel;
  for (std::int32_t row = 0; row < lines.count; ++row, line += address.row) {
    for (std::int32_t i = 0; i < lines.cells; ++i) {
      i += first_open_cell(first_open, line + i * address.pixel, address.pixel, lines.cells - i, job.head.gate);
      if (i == lines.cells) break;
      offer_single<BF16>(job, row + i / window.w, i % window.w, 0, load<BF16>(line + i * address.pixel));
    }
  }
}

}  // namespace tessera::boxdecode
