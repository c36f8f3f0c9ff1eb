#include "boxdecode/tasks/tasks.h"

namespace tessera::boxdecode {

Origin origin_of(const PlanData& plan, std::uint32_t ordinal) noexcept {
  const std::uint32_t index = plan.multi_label ? ordinal / static_cast<std::uint32_t>(plan.classes) : ordinal;
  const HeadPlan* head = plan.heads.data();
  while (head + 1 != plan.heads.data() + plan.heads.size() && head[1].first_slot <= index) ++head;
  const std::uint32_t within = index - head->first_slot, slots = static_cast<std::uint32_t>(head->grid.slots);
  const auto cell = static_cast<std::int32_t>(within / slots);
  return {head, cell / head->w, cell % head->w, static_cast<int>(within % slots)};
}

}  // namespace tessera::boxdecode
