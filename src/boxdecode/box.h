#pragma once
// A box in model space (tile space with a mosaic), float corners.

#include <algorithm>
#include <cmath>

namespace tessera::boxdecode {

struct Box {
  float x1, y1, x2, y2;
};

inline Box corners(float cx, float cy, float w, float h) noexcept {
  return {cx - w * 0.5f, cy - h * 0.5f, cx + w * 0.5f, cy + h * 0.5f};
}

/// Finite and of positive extent; other boxes never become candidates.
inline bool proper(const Box& box) noexcept {
  return std::isfinite(box.x1) && std::isfinite(box.y1) && std::isfinite(box.x2) && std::isfinite(box.y2) &&
         box.x2 > box.x1 && box.y2 > box.y1;
}

inline float area(const Box& box) noexcept { return (box.x2 - box.x1) * (box.y2 - box.y1); }

/// Whether I/U > threshold, all in float with a real division, no "+1 pixel". Boxes proper; area_a, area_b theirs.
inline bool overlaps_more(const Box& a, float area_a, const Box& b, float area_b, float threshold) noexcept {
  const float iw = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float ih = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  // I is then 0, or NaN (0 * inf), which makes U NaN: either way IoU is 0, and 0 > threshold is false.
  if (!(iw > 0.0f) || !(ih > 0.0f)) return false;
  const float i = iw * ih;
  const float u = (area_a + area_b) - i;
  return u > 0.0f && i / u > threshold;
}

}  // namespace tessera::boxdecode
