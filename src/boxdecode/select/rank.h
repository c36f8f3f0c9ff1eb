#pragma once
// The score that orders and is reported, once a candidate has passed the threshold on its base score.

#include <tessera/boxdecode/params.h>

#include <cmath>
#include <cstdint>

#include "boxdecode/box.h"
#include "boxdecode/numbers.h"

namespace tessera::boxdecode {

/// objectness^0.5 * class^1.25 without pow, in double: square roots and products are correctly rounded everywhere.
inline float power_half_125(float objectness, float class_score) noexcept {
  const double o = objectness, c = class_score;
  return static_cast<float>(std::sqrt(o) * (c * std::sqrt(std::sqrt(c))));
}

/// Which edges of a tile have a neighbour, and where the margin lies.
struct EdgeRule {
  bool left = false, top = false, right = false, bottom = false;
  float margin = 0, right_from = 0, bottom_from = 0;  ///< tile extent - margin
  float factor = 1;

  bool touches(const Box& box) const noexcept {
    return (left && box.x1 <= margin) || (right && box.x2 >= right_from) || (top && box.y1 <= margin) ||
           (bottom && box.y2 >= bottom_from);
  }
};

struct RankRules {
  RankRule rule = RankRule::Product;
  EdgeRule edge;

  /// NaN or infinite when the candidate has no rank and is dropped (a negative factor under Identity).
  float rank(float objectness, float class_score, float base, const Box& box) const noexcept {
    float r = rule == RankRule::Product ? base : power_half_125(objectness, class_score);
    if (edge.touches(box)) r = edge.factor * r;
    return positive_zero(r);
  }
};

}  // namespace tessera::boxdecode
