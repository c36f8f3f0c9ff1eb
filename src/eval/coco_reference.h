#pragma once
// COCO's figures by their definition, for tests: loops over everything, sets instead of bits, no shared code but IoU
// and thresholds.

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "eval/coco.h"
#include "eval/coco_match.h"
#include "eval/overlap.h"

namespace tessera::eval::test {

class CocoReference {
 public:
  CocoReference(const Dataset& dataset, const Detections& detections) : dataset_(dataset), detections_(detections) {}

  CocoStats stats() const {
    const auto ap = [&](std::size_t area, std::vector<int> at) { return mean(area, 100, at, true); };
    const auto ar = [&](std::size_t area, int limit) { return mean(area, limit, every(), false); };
    return {ap(0, every()), ap(0, {0}), ap(0, {5}), ap(1, every()), ap(2, every()), ap(3, every()),
            ar(0, 1),       ar(0, 10),  ar(0, 100), ar(1, 100),     ar(2, 100),     ar(3, 100)};
  }

 private:
  struct Outcome {
    double score;
    bool hit;
  };
  static std::vector<int> every() { return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; }
  bool counts(const Object& o, std::size_t area) const {
    constexpr std::array<double, 4> low{0, 0, 1024, 9216}, high{1e10, 1024, 9216, 1e10};
    return !o.crowd && o.area >= low[area] && o.area <= high[area];
  }
  static bool outside(double value, std::size_t area) {
    constexpr std::array<double, 4> low{0, 0, 1024, 9216}, high{1e10, 1024, 9216, 1e10};
    return value < low[area] || value > high[area];
  }

  /// Outcomes that count, of one category in one photo.
  std::vector<Outcome> photo(int category, int photo, double threshold, std::size_t area, std::size_t limit) const {
    std::vector<Scored> best;
    for (const Scored& d : detections_.boxes) {
      if (d.photo == photo && d.category == category) best.push_back(d);
    }
    std::ranges::stable_sort(best, std::ranges::greater{}, &Scored::score);
    best.resize(std::min(best.size(), limit));
    std::set<const Object*> taken;
    std::vector<Outcome> out;
    for (const Scored& d : best) {
      const Object* found = nullptr;
      for (const bool counted : {true, false}) {
        double most = threshold;
        for (const Object& o : dataset_.objects) {
          if (o.photo != photo || o.category != category || counts(o, area) != counted) continue;
          if (taken.contains(&o) && !o.crowd) continue;
          const double iou = coco_iou(d.box, o.box, o.crowd);
          if (iou < most) continue;
          most = iou;
          found = &o;
        }
        if (found != nullptr) break;
      }
      if (found != nullptr) taken.insert(found);
      if (found != nullptr ? counts(*found, area) : !outside(d.box.area(), area))
        out.push_back({d.score, found != nullptr});
    }
    return out;
  }

  /// Average precision or recall of one category at one threshold.
  double one(int category, double threshold, std::size_t area, int limit, double objects, bool precision) const {
    std::vector<Outcome> all;
    for (int p = 0; p < static_cast<int>(dataset_.photos.size()); ++p) {
      const auto some = photo(category, p, threshold, area, static_cast<std::size_t>(limit));
      all.insert(all.end(), some.begin(), some.end());
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &Outcome::score);
    if (!precision) return static_cast<double>(std::ranges::count(all, true, &Outcome::hit)) / objects;
    double sum = 0;
    for (int point = 0; point <= 100; ++point) {
      double hits = 0, seen = 0, best = 0;
      for (const Outcome& o : all) {
        ++seen;
        if (o.hit) ++hits;
        if (hits / objects >= point * 0.01) best = std::max(best, hits / seen);
      }
      sum += best;
    }
    return sum / 101;
  }

  double mean(std::size_t area, int limit, const std::vector<int>& thresholds, bool precision) const {
    double sum = 0;
    int n = 0;
    for (int k = 0; k < static_cast<int>(dataset_.categories.size()); ++k) {
      const auto objects =
          std::ranges::count_if(dataset_.objects, [&](const Object& o) { return o.category == k && counts(o, area); });
      if (objects == 0) continue;
      for (const int t : thresholds) {
        sum += one(k, iou_threshold(t), area, limit, static_cast<double>(objects), precision);
        ++n;
      }
    }
    return n > 0 ? sum / n : -1;
  }

  const Dataset& dataset_;
  const Detections& detections_;
};

}  // namespace tessera::eval::test
