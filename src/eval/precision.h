#pragma once
// From matches to average precision: COCO's 101-point curve.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "eval/coco_match.h"

namespace tessera::eval {

inline constexpr int kRecallPoints = 101;

/// A point of the curve, where recall grows.
struct CurveStep {
  double recall = 0, precision = 0;
};

struct CurveSummary {
  double recall = 0;             ///< reached with all detections
  double average_precision = 0;  ///< mean over recalls 0, 0.01 ... 1 of the best precision at that recall or beyond
};

/// Average precision of the steps of one curve, recall never falling. Overwrites their precisions.
inline double average_precision(std::span<CurveStep> steps) noexcept {
  for (std::size_t i = steps.size(); i-- > 1;) {
    steps[i - 1].precision = std::max(steps[i - 1].precision, steps[i].precision);
  }
  double sum = 0;
  std::size_t i = 0;
  for (int point = 0; point < kRecallPoints; ++point) {
    while (i < steps.size() && steps[i].recall < point * 0.01) ++i;
    if (i == steps.size()) break;
    sum += steps[i].precision;
  }
  return sum / kRecallPoints;
}

/// The curve of one category at one threshold. `weight(photo)` is how often a photo counts: 1, or a resample's count.
/// objects  counted with the same weights, > 0. `steps` is scratch, kept between calls.
/// Steps are kept for hits only: a miss lowers precision without raising recall, so it is no maximum of any point.
template <class Weight>
CurveSummary summarize_curve(std::span<const Match> matches, int threshold, int max_rank, double objects,
                             const Weight& weight, std::vector<CurveStep>& steps) {
  const auto bit = static_cast<std::uint16_t>(1 << threshold);
  double hits = 0, misses = 0;
  steps.clear();
  for (const Match& match : matches) {
    if ((match.ignored & bit) != 0 || match.rank >= max_rank) continue;
    const double times = weight(match.photo);
    if ((match.hit & bit) == 0) {
      misses += times;
    } else if (times > 0) {
      hits += times;
      // pycocotools adds NumPy's spacing(1) to keep 0 / 0 away; the last bits of published figures have it.
      steps.push_back({hits / objects, hits / (misses + hits + std::numeric_limits<double>::epsilon())});
    }
  }
  return {hits / objects, average_precision(steps)};
}

}  // namespace tessera::eval
