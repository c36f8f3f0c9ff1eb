#include "boxdecode/families/slot_box.h"

#include "boxdecode/families/anchor_grid.h"
#include "boxdecode/families/centre.h"
#include "boxdecode/families/distances.h"
#include "boxdecode/read.h"

namespace tessera::boxdecode {

Box slot_box(const HeadPlan& head, std::span<const std::span<const std::byte>> inputs, Cell cell, int slot) noexcept {
  const auto read = [&](const InputPlan& input, std::int64_t first, std::int64_t count, float* out) {
    read_values(input, inputs[static_cast<std::size_t>(input.port)].data(), cell.y, cell.x, first, count, out);
  };
  const auto col = static_cast<float>(cell.col), row = static_cast<float>(cell.row);
  if (head.box_rule == BoxRule::Dfl) {
    float logits[4 * kMaxBins];
    read(head.box, 0, std::int64_t{4} * head.bins, logits);
    return decode_distances(expected_distances(logits, head.bins), col, row, head.stride);
  }
  if (head.box_rule == BoxRule::AnchorGrid) {
    float raw[4];
    read(head.score, std::int64_t{slot} * head.slot_channels, 4, raw);
    return decode_anchor_grid(head.grid, slot, raw, col, row, head.stride);
  }
  Distances raw;
  read(head.box, 0, 4, raw.sides);
  return head.box_rule == BoxRule::Centre ? decode_centre(raw.sides, col, row, head.stride)
                                          : decode_distances(raw, col, row, head.stride);
}

}  // namespace tessera::boxdecode
