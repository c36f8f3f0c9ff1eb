#pragma once
// How much two boxes overlap, in the two conventions that published figures use.

#include <algorithm>

#include "eval/dataset.h"

namespace tessera::eval {

/// COCO: continuous coordinates. Against a crowd region the union is the detection alone, so a box inside it has 1.
/// Source: the COCO detection evaluation (cocodataset.org/#detection-eval), crowd rule.
inline double coco_iou(const Box& detection, const Box& object, bool crowd) noexcept {
  const double w = std::min(detection.x + detection.w, object.x + object.w) - std::max(detection.x, object.x);
  const double h = std::min(detection.y + detection.h, object.y + object.h) - std::max(detection.y, object.y);
  if (!(w > 0) || !(h > 0)) return 0;
  const double common = w * h;
  return common / (crowd ? detection.area() : detection.area() + object.area() - common);
}

/// VOC: corners name pixels and both belong to the box, so a side is one longer than its difference of corners.
/// Source: Everingham et al. 2010, The Pascal Visual Object Classes (VOC) Challenge, and its development kit.
inline double voc_iou(const Box& a, const Box& b) noexcept {
  const double w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x) + 1;
  const double h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y) + 1;
  if (!(w > 0) || !(h > 0)) return 0;
  const double common = w * h;
  return common / ((a.w + 1) * (a.h + 1) + (b.w + 1) * (b.h + 1) - common);
}

}  // namespace tessera::eval
