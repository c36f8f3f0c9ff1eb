#pragma once
// Pascal VOC's average precision, in both of its forms.
// Source: Everingham et al. 2010, The Pascal Visual Object Classes (VOC) Challenge; development kits of 2007 and 2012.

#include <cstdint>
#include <vector>

#include "eval/dataset.h"

namespace tessera::eval {

struct VocCategory {
  std::int64_t objects = 0;  ///< neither difficult nor crowd
  std::int64_t hits = 0, misses = 0;
  double every_point = -1;   ///< area under the curve (VOC 2010 on); -1 without objects
  double eleven_point = -1;  ///< mean over recalls 0, 0.1 ... 1 (VOC 2007); -1 without objects
};

struct VocScore {
  std::vector<VocCategory> categories;         ///< as in the dataset
  double every_point = -1, eleven_point = -1;  ///< means over categories with objects; -1 without any
};

/// Each detection, best first over all photos, looks at the object that it overlaps most (the first of equals, pixels
/// inclusive): below `iou` it is a miss; a difficult object makes it count for nothing; an object that an earlier one
/// found makes it a miss. So unlike COCO it takes no second choice, and there is no limit per photo.
VocScore score_voc(const Dataset& dataset, const Detections& detections, double iou = 0.5);

}  // namespace tessera::eval
