#pragma once
// Anchor-free boxes: distances from the cell's centre to the four sides, in cells; stored as they are (YOLO26, YOLOv6)
// or as a distribution per side whose mean they are (YOLOv8 to 11, YOLOv6 with DFL).
// Source of the distribution: Li et al. 2020, Generalized Focal Loss (arXiv:2006.04388).

#include <algorithm>
#include <cmath>
#include <limits>

#include "boxdecode/box.h"

namespace tessera::boxdecode {

inline constexpr int kMaxBins = 17;

struct Distances {
  float sides[4];  ///< left, top, right, bottom
};

/// Each operation rounds to float once, in the written order.
inline Box decode_distances(const Distances& d, float col, float row, float stride) noexcept {
  const float ax = col + 0.5f, ay = row + 0.5f;
  return {(ax - d.sides[0]) * stride, (ay - d.sides[1]) * stride, (ax + d.sides[2]) * stride,
          (ay + d.sides[3]) * stride};
}

/// Mean of the softmax over `bins` logits, in double, bins ascending, rounded to float once. NaN when a logit is NaN or
/// +inf.
inline float expected_distance(const float* logits, int bins) noexcept {
  double greatest = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < bins; ++j) greatest = std::max(greatest, static_cast<double>(logits[j]));
  double weighted = 0, sum = 0;
  for (int j = 0; j < bins; ++j) {
    const double e = std::exp(static_cast<double>(logits[j]) - greatest);
    weighted += j * e;
    sum += e;
  }
  return static_cast<float>(weighted / sum);
}

/// logits: side-major, channel side * bins + j.
inline Distances expected_distances(const float* logits, int bins) noexcept {
  Distances d;
  for (int side = 0; side < 4; ++side) d.sides[side] = expected_distance(logits + side * bins, bins);
  return d;
}

}  // namespace tessera::boxdecode
