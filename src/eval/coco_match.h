#pragma once
// COCO's matching: which detections of a category found an object, at each of ten overlaps at once.
// Source: Lin et al. 2014 (arXiv:1405.0312) and cocodataset.org/#detection-eval; ties as pycocotools 2.0 breaks them.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "eval/dataset.h"

namespace tessera::eval {

inline constexpr int kThresholds = 10;
/// 0.50, 0.55 ... 0.95, with the roundings of NumPy's linspace(0.5, 0.95, 10), which published figures used.
double iou_threshold(int index) noexcept;
inline constexpr int kIou50 = 0, kIou75 = 5;

inline constexpr int kMaxPerPhoto = 100;  ///< detections of a category in a photo that are looked at, best first

struct AreaRange {
  const char* name;
  double low, high;  ///< square pixels, both inside
  bool contains(double area) const noexcept { return area >= low && area <= high; }
};
inline constexpr std::array<AreaRange, 4> kAreaRanges{
    {{"all", 0, 1e10}, {"small", 0, 32.0 * 32}, {"medium", 32.0 * 32, 96.0 * 96}, {"large", 96.0 * 96, 1e10}}};

/// One detection that was looked at.
struct Match {
  double score = 0;
  std::uint32_t detection = 0;  ///< index into Detections::boxes
  std::int32_t photo = 0;
  std::uint16_t rank = 0;     ///< among those of its category and photo, 0 the best
  std::uint16_t hit = 0;      ///< bit t: found an object at iou_threshold(t)
  std::uint16_t ignored = 0;  ///< bit t: counts neither for nor against (crowd, or outside the area range)
};

struct ClassMatches {
  std::vector<Match> matches;                                       ///< by score; ties by photo, then rank
  std::vector<std::pair<std::int32_t, std::int32_t>> photo_counts;  ///< (photo, objects that count), if any
  std::int64_t objects = 0;                                         ///< that count: no crowd, inside the area range
};

/// Matches the groups of one category. Each detection, best first, takes the free object that it overlaps most, if by
/// the threshold at least (a crowd region is always free; objects that do not count come second).
ClassMatches match_category(const Dataset& dataset, const Detections& detections, std::span<const Group> groups,
                            const AreaRange& area);

/// The object (index into Dataset::objects) that each looked-at detection of a group takes at one threshold, or -1;
/// nothing is outside the area. For those who ask why.
std::vector<std::int64_t> taken_objects(const Dataset& dataset, const Detections& detections, const Group& group,
                                        double threshold);

}  // namespace tessera::eval
