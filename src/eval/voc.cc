#include "eval/voc.h"

#include <algorithm>

#include "eval/overlap.h"

namespace tessera::eval {
namespace {

enum class Verdict : std::uint8_t { hit, miss, ignored };
struct Judged {
  double score;
  Verdict verdict;
};

/// The object a detection looks at, or -1.
std::int64_t closest(const Dataset& dataset, const Box& box, std::span<const std::uint32_t> objects, double iou) {
  std::int64_t best = -1;
  double most = 0;
  for (const std::uint32_t i : objects) {
    const double overlap = voc_iou(box, dataset.objects[i].box);
    if (overlap <= most) continue;
    most = overlap;
    best = i;
  }
  return most >= iou ? best : -1;
}

/// The detections of one group in order of score; judging them photo by photo is the same as over all photos at once.
void judge(const Dataset& dataset, const Detections& detections, const Group& group, double iou,
           std::vector<Judged>& out) {
  std::vector<std::int64_t> found;
  for (const std::uint32_t d : group.detections) {
    const std::int64_t object = closest(dataset, detections.boxes[d].box, group.objects, iou);
    Verdict verdict = Verdict::miss;
    if (object >= 0) {
      const Object& o = dataset.objects[static_cast<std::size_t>(object)];
      if (o.difficult || o.crowd) {
        verdict = Verdict::ignored;
      } else if (std::ranges::find(found, object) == found.end()) {
        verdict = Verdict::hit;
        found.push_back(object);
      }
    }
    out.push_back({detections.boxes[d].score, verdict});
  }
}

struct Point {
  double recall, precision;
};

/// Precision made the best at that recall or beyond.
std::vector<Point> envelope(const std::vector<Judged>& judged, std::int64_t objects) {
  std::vector<Point> points;
  double hits = 0, seen = 0;
  for (const Judged& j : judged) {
    if (j.verdict == Verdict::ignored) continue;
    ++seen;
    if (j.verdict == Verdict::hit) ++hits;
    points.push_back({hits / static_cast<double>(objects), hits / seen});
  }
  for (std::size_t i = points.size(); i-- > 1;) {
    points[i - 1].precision = std::max(points[i - 1].precision, points[i].precision);
  }
  return points;
}

double area_under(const std::vector<Point>& points) {
  double area = 0, recall = 0;
  for (const Point& p : points) {
    area += (p.recall - recall) * p.precision;
    recall = p.recall;
  }
  return area;
}

double eleven_points(const std::vector<Point>& points) {
  double sum = 0;
  for (int i = 0; i <= 10; ++i) {
    // i * 0.1 as the kit's own steps round it: recall 3 of 10 does not reach the fourth point, 0.30000000000000004.
    const auto reaches = [&](const Point& p) { return p.recall >= i * 0.1; };
    const auto found = std::ranges::find_if(points, reaches);
    if (found != points.end()) sum += found->precision;
  }
  return sum / 11;
}

VocCategory score_category(const Dataset& dataset, const Detections& detections, std::span<const Group> groups,
                           double iou) {
  VocCategory out;
  std::vector<Judged> judged;
  for (const Group& group : groups) {
    out.objects += std::ranges::count_if(
        group.objects, [&](std::uint32_t i) { return !dataset.objects[i].difficult && !dataset.objects[i].crowd; });
    judge(dataset, detections, group, iou, judged);
  }
  out.hits = std::ranges::count(judged, Verdict::hit, &Judged::verdict);
  out.misses = std::ranges::count(judged, Verdict::miss, &Judged::verdict);
  if (out.objects == 0) return out;
  std::ranges::stable_sort(judged, std::ranges::greater{}, &Judged::score);
  const auto points = envelope(judged, out.objects);
  out.every_point = area_under(points);
  out.eleven_point = eleven_points(points);
  return out;
}

}  // namespace

VocScore score_voc(const Dataset& dataset, const Detections& detections, double iou) {
  const Groups groups(dataset, detections);
  VocScore out;
  double every = 0, eleven = 0;
  int scored = 0;
  for (std::size_t k = 0; k < dataset.categories.size(); ++k) {
    const auto of_category = groups.of_category(static_cast<std::int32_t>(k));
    out.categories.push_back(score_category(dataset, detections, of_category, iou));
    if (out.categories.back().objects == 0) continue;
    every += out.categories.back().every_point;
    eleven += out.categories.back().eleven_point;
    ++scored;
  }
  if (scored > 0) {
    out.every_point = every / scored;
    out.eleven_point = eleven / scored;
  }
  return out;
}

}  // namespace tessera::eval
