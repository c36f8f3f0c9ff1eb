#pragma once
// Which class is taken for which.

#include <cstdint>
#include <vector>

#include "eval/dataset.h"

namespace tessera::eval {

inline constexpr std::int32_t kNothing = -1;

/// How often objects of one category were detected as another; kNothing: not detected, or nothing there.
struct ConfusionCell {
  std::int32_t object = kNothing, detection = kNothing;
  std::int64_t count = 0;
  bool operator==(const ConfusionCell&) const = default;
};

/// Cells that are not zero, sorted by object, then detection. Each detection of at least `min_score`, best first over
/// the photo and whatever its category, takes the free object that it overlaps most, by `iou` at least (the first of
/// equals). What is left on either side meets kNothing; detections left over on a crowd region of any category, IoU by
/// the crowd rule, are not counted.
std::vector<ConfusionCell> confusion_matrix(const Dataset& dataset, const Detections& detections, double min_score,
                                            double iou = 0.5);

}  // namespace tessera::eval
