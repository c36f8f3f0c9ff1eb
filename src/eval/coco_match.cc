#include "eval/coco_match.h"

#include <algorithm>
#include <cstddef>

#include "eval/overlap.h"

namespace tessera::eval {
namespace {

struct Target {
  std::uint32_t object;
  bool crowd, ignored, match_counts;
};

/// The objects and detections of one group with their overlaps.
class GroupMatcher {
 public:
  GroupMatcher(const Dataset& dataset, const Detections& detections, const Group& group, const AreaRange& area)
      : count_(std::min<std::size_t>(group.detections.size(), kMaxPerPhoto)) {
    for (const std::uint32_t i : group.objects) {
      const Object& object = dataset.objects[i];
      targets_.push_back({i, object.crowd, object.crowd || !area.contains(object.area), object.match_counts});
    }
    std::stable_partition(targets_.begin(), targets_.end(), [](const Target& t) { return !t.ignored; });
    for (std::size_t d = 0; d < count_; ++d) {
      const Box& box = detections.boxes[group.detections[d]].box;
      for (const Target& t : targets_) ious_.push_back(coco_iou(box, dataset.objects[t.object].box, t.crowd));
    }
    used_.resize(targets_.size());
  }

  std::size_t detections() const noexcept { return count_; }
  const std::vector<Target>& targets() const noexcept { return targets_; }

  /// Before each threshold.
  void release() { used_.assign(used_.size(), false); }
  /// The target that detection d takes, or -1. Detections are asked for in order.
  int take(std::size_t d, double threshold) {
    // An exact fit passes every threshold, also one that rounding left above 1 - 1e-10.
    double best = std::min(threshold, 1 - 1e-10);
    int found = -1;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      if (used_[t] && !targets_[t].crowd) continue;
      if (found >= 0 && !targets_[static_cast<std::size_t>(found)].ignored && targets_[t].ignored) break;
      const double iou = ious_[d * targets_.size() + t];
      if (iou < best) continue;  // of equals the last is taken
      best = iou;
      found = static_cast<int>(t);
    }
    if (found >= 0) used_[static_cast<std::size_t>(found)] = true;
    return found;
  }

 private:
  std::size_t count_;
  std::vector<Target> targets_;  // those that count first
  std::vector<double> ious_;     // detections x targets
  std::vector<bool> used_;
};

/// Adds one group's matches and its objects to `out`.
void match_group(const Dataset& dataset, const Detections& detections, const Group& group, const AreaRange& area,
                 ClassMatches& out) {
  GroupMatcher matcher(dataset, detections, group, area);
  const auto counted = std::ranges::count_if(matcher.targets(), [](const Target& t) { return !t.ignored; });
  if (counted > 0) out.photo_counts.emplace_back(group.photo, static_cast<std::int32_t>(counted));
  out.objects += counted;
  const std::size_t first = out.matches.size();
  for (std::size_t d = 0; d < matcher.detections(); ++d) {
    const std::uint32_t i = group.detections[d];
    out.matches.push_back({detections.boxes[i].score, i, group.photo, static_cast<std::uint16_t>(d), 0, 0});
  }
  for (int t = 0; t < kThresholds; ++t) {
    matcher.release();
    for (std::size_t d = 0; d < matcher.detections(); ++d) {
      Match& match = out.matches[first + d];
      const int found = matcher.take(d, iou_threshold(t));
      const Target* target = found < 0 ? nullptr : &matcher.targets()[static_cast<std::size_t>(found)];
      const bool hit = target != nullptr && target->match_counts;
      const bool outside = !hit && !area.contains(detections.boxes[match.detection].box.area());
      match.hit = static_cast<std::uint16_t>(match.hit | (hit ? 1 << t : 0));
      match.ignored =
          static_cast<std::uint16_t>(match.ignored | ((target != nullptr && target->ignored) || outside ? 1 << t : 0));
    }
  }
}

}  // namespace

double iou_threshold(int index) noexcept {
  constexpr double kStep = (0.95 - 0.5) / (kThresholds - 1);
  return index == kThresholds - 1 ? 0.95 : index * kStep + 0.5;
}

ClassMatches match_category(const Dataset& dataset, const Detections& detections, std::span<const Group> groups,
                            const AreaRange& area) {
  ClassMatches out;
  for (const Group& group : groups) match_group(dataset, detections, group, area, out);
  std::ranges::stable_sort(out.matches, std::ranges::greater{}, &Match::score);
  return out;
}

std::vector<std::int64_t> taken_objects(const Dataset& dataset, const Detections& detections, const Group& group,
                                        double threshold) {
  GroupMatcher matcher(dataset, detections, group, kAreaRanges[0]);
  std::vector<std::int64_t> taken;
  for (std::size_t d = 0; d < matcher.detections(); ++d) {
    const int found = matcher.take(d, threshold);
    taken.push_back(found < 0 ? -1 : std::int64_t{matcher.targets()[static_cast<std::size_t>(found)].object});
  }
  return taken;
}

}  // namespace tessera::eval
