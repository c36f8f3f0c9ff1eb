#include "eval/coco.h"

#include "eval/coco_match.h"
#include "eval/precision.h"

namespace tessera::eval {
namespace {

constexpr std::size_t kAreas = kAreaRanges.size();

/// The mean of what was added; -1 of nothing.
struct Mean {
  double sum = 0;
  std::int64_t n = 0;
  void add(double value) noexcept {
    sum += value;
    ++n;
  }
  double value() const noexcept { return n > 0 ? sum / static_cast<double>(n) : -1; }
};

/// What the twelve figures are means of, over categories with objects.
struct Means {
  Mean ap50, ap75, ar1, ar10;
  std::array<Mean, kAreas> ap, ar;
};

/// Precision and recall of one category in one area range, per threshold.
struct Curves {
  std::array<CurveSummary, kThresholds> at;
  double mean_ap() const noexcept {
    Mean mean;
    for (const CurveSummary& c : at) mean.add(c.average_precision);
    return mean.value();
  }
  double mean_recall() const noexcept {
    Mean mean;
    for (const CurveSummary& c : at) mean.add(c.recall);
    return mean.value();
  }
};

Curves curves(const ClassMatches& matches, int max_rank) {
  std::vector<CurveStep> steps;
  Curves out;
  const auto once = [](std::int32_t) { return 1.0; };
  for (int t = 0; t < kThresholds; ++t) {
    out.at[static_cast<std::size_t>(t)] =
        summarize_curve(matches.matches, t, max_rank, static_cast<double>(matches.objects), once, steps);
  }
  return out;
}

void add_whole_range(const ClassMatches& matches, const Curves& c, Means& means, CategoryScore& score) {
  score.ap = c.mean_ap();
  score.ap50 = c.at[kIou50].average_precision;
  score.ap75 = c.at[kIou75].average_precision;
  score.ar100 = c.mean_recall();
  means.ap50.add(score.ap50);
  means.ap75.add(score.ap75);
  means.ar1.add(curves(matches, 1).mean_recall());
  means.ar10.add(curves(matches, 10).mean_recall());
}

CategoryScore score_category(const Dataset& dataset, const Detections& detections, std::span<const Group> groups,
                             Means& means) {
  CategoryScore score;
  for (std::size_t area = 0; area < kAreas; ++area) {
    const ClassMatches matches = match_category(dataset, detections, groups, kAreaRanges[area]);
    if (area == 0) {
      score.objects = matches.objects;
      score.detections = static_cast<std::int64_t>(matches.matches.size());
    }
    if (matches.objects == 0) continue;
    const Curves c = curves(matches, kMaxPerPhoto);
    means.ap[area].add(c.mean_ap());
    means.ar[area].add(c.mean_recall());
    if (area == 0) add_whole_range(matches, c, means, score);
  }
  return score;
}

}  // namespace

std::array<NamedStat, 12> named(const CocoStats& s) {
  return {{{"AP", s.ap},
           {"AP50", s.ap50},
           {"AP75", s.ap75},
           {"APsmall", s.ap_small},
           {"APmedium", s.ap_medium},
           {"APlarge", s.ap_large},
           {"AR1", s.ar1},
           {"AR10", s.ar10},
           {"AR100", s.ar100},
           {"ARsmall", s.ar_small},
           {"ARmedium", s.ar_medium},
           {"ARlarge", s.ar_large}}};
}

CocoScore score_coco(const Dataset& dataset, const Detections& detections) {
  const Groups groups(dataset, detections);
  Means m;
  CocoScore out;
  for (std::size_t k = 0; k < dataset.categories.size(); ++k) {
    const auto of_category = groups.of_category(static_cast<std::int32_t>(k));
    out.categories.push_back(score_category(dataset, detections, of_category, m));
  }
  out.stats = {m.ap[0].value(), m.ap50.value(), m.ap75.value(),  m.ap[1].value(), m.ap[2].value(), m.ap[3].value(),
               m.ar1.value(),   m.ar10.value(), m.ar[0].value(), m.ar[1].value(), m.ar[2].value(), m.ar[3].value()};
  return out;
}

}  // namespace tessera::eval
