#pragma once
// Selected detections -> output tensors: mapped, rounded, encoded, every unused row zero.

#include <cstddef>
#include <cstdint>
#include <span>

#include "boxdecode/map/mapping.h"
#include "boxdecode/plan.h"
#include "boxdecode/select/nms.h"

namespace tessera::boxdecode {

/// Writes all rows of image `image`. `candidates` are in selection order as far as `kept` refers to them.
void emit(const PlanData& plan, std::int32_t image, const Mapping& mapping, std::span<const Kept> kept,
          const Candidate* candidates, std::span<const std::span<std::byte>> outputs) noexcept;

}  // namespace tessera::boxdecode
