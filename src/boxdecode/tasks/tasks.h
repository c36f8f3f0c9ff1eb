#pragma once
// What Pose and Segmentation add: read for selected detections only, into output 4.

#include <span>

#include "boxdecode/map/mapping.h"
#include "boxdecode/plan.h"
#include "boxdecode/select/nms.h"

namespace tessera::boxdecode {

/// Where a candidate came from.
struct Origin {
  const HeadPlan* head;
  std::int32_t y, x;
  int slot;
};
/// From the ordinal; without a mosaic, as these tasks are.
Origin origin_of(const PlanData& plan, std::uint32_t ordinal) noexcept;

/// {K, count, dims} floats: points in original-image pixels, clamped; a point that is not finite is (0, 0, 0).
void emit_keypoints(const PlanData& plan, const Mapping& mapping, std::span<const Kept> kept,
                    const Candidate* candidates, const Bindings& bindings) noexcept;

/// {K, basis H, basis W} bytes, 0 or 1, cut to the detection's box.
void emit_masks(const PlanData& plan, std::span<const Kept> kept, const Candidate* candidates,
                const Bindings& bindings) noexcept;

}  // namespace tessera::boxdecode
