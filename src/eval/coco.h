#pragma once
// COCO's twelve figures, equal to pycocotools 2.0.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "eval/dataset.h"

namespace tessera::eval {

/// -1 where no object counts, as pycocotools has it.
struct CocoStats {
  double ap = -1, ap50 = -1, ap75 = -1;                 ///< mean over IoU 0.50:0.05:0.95; at 0.50; at 0.75
  double ap_small = -1, ap_medium = -1, ap_large = -1;  ///< objects below 32^2, to 96^2, above
  double ar1 = -1, ar10 = -1, ar100 = -1;               ///< recall with so many detections per photo
  double ar_small = -1, ar_medium = -1, ar_large = -1;
};
struct NamedStat {
  std::string_view name;  ///< "AP", "AP50" ... "ARlarge"
  double value;
};
/// In pycocotools' order.
std::array<NamedStat, 12> named(const CocoStats& stats);

struct CategoryScore {
  std::int64_t objects = 0;     ///< that count (no crowds)
  std::int64_t detections = 0;  ///< looked at: the best 100 per photo
  double ap = -1, ap50 = -1, ap75 = -1, ar100 = -1;
};

struct CocoScore {
  CocoStats stats;
  std::vector<CategoryScore> categories;  ///< as in the dataset
};

/// Threads safe to call at once. Time grows with objects x detections of one category in one photo, else linearly.
CocoScore score_coco(const Dataset& dataset, const Detections& detections);

}  // namespace tessera::eval
