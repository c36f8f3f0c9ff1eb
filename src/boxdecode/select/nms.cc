#include "boxdecode/select/nms.h"

#include <algorithm>

namespace tessera::boxdecode {
namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFFu;

bool suppressed(const Box& box, float box_area, std::uint32_t newest, const Kept* kept, float threshold) noexcept {
  for (std::uint32_t i = newest; i != kNobody; i = kept[i].next) {
    if (overlaps_more(kept[i].box, kept[i].area, box, box_area, threshold)) return true;
  }
  return false;
}

}  // namespace

std::uint32_t select(SelectionOrder& order, const NmsRules& rules, const NmsScratch& scratch) noexcept {
  std::fill_n(scratch.newest, rules.classes, kNobody);
  std::fill_n(scratch.counts, rules.classes, 0u);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < order.count() && kept < rules.capacity; ++i) {
    const Candidate& candidate = order.at(i);
    std::uint32_t& count = scratch.counts[candidate.class_id];
    if (rules.max_per_class != 0 && count == rules.max_per_class) continue;
    const float box_area = area(candidate.box);
    std::uint32_t& newest = scratch.newest[rules.class_agnostic ? 0 : candidate.class_id];
    if (rules.suppress && suppressed(candidate.box, box_area, newest, scratch.kept, rules.iou_threshold)) continue;
    scratch.kept[kept] = {i, newest, candidate.box, box_area, 0};
    newest = kept++;
    ++count;
  }
  return kept;
}

}  // namespace tessera::boxdecode
