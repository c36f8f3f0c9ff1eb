#include "boxdecode/reference_select.h"

#include <algorithm>

namespace tessera::boxdecode::reference {
namespace {

float iou(const Rect& p, const Rect& q) {
  const float iw = std::max(0.0f, std::min(p.x2, q.x2) - std::max(p.x1, q.x1));
  const float ih = std::max(0.0f, std::min(p.y2, q.y2) - std::max(p.y1, q.y1));
  const float i = iw * ih;
  const float area_p = (p.x2 - p.x1) * (p.y2 - p.y1), area_q = (q.x2 - q.x1) * (q.y2 - q.y1);
  const float u = (area_p + area_q) - i;
  return u > 0.0f ? i / u : 0.0f;
}

// End-to-end families were trained to give one box per object: at threshold 0 nothing is suppressed.
bool suppresses(const Params& p) {
  const bool end_to_end = p.profile == Profile::Yolo26RawLtrb || p.profile == Profile::YoloV10V1;
  return !(end_to_end && p.nms_iou_threshold == 0.0f);
}

std::vector<Found> greedy_nms(const Params& p, const std::vector<Found>& candidates) {
  std::vector<Found> kept;
  for (const Found& candidate : candidates) {
    if (kept.size() == static_cast<std::size_t>(p.max_detections)) break;
    std::int32_t of_class = 0;
    bool keep = true;
    for (const Found& k : kept) {
      of_class += k.class_id == candidate.class_id;
      const bool rivals = suppresses(p) && (p.nms_class_agnostic || k.class_id == candidate.class_id);
      if (rivals && iou(k.box, candidate.box) > p.nms_iou_threshold) keep = false;
    }
    if (p.max_per_class > 0 && of_class >= p.max_per_class) keep = false;
    if (keep) kept.push_back(candidate);
  }
  return kept;
}

Rect voted(const Params& p, const Found& kept, const std::vector<Found>& candidates) {
  double sum[5] = {};
  for (const Found& voter : candidates) {
    if (voter.class_id != kept.class_id || !(iou(kept.box, voter.box) > p.voting->iou)) continue;
    const double r = voter.score;
    sum[0] += r;
    sum[1] += r * static_cast<double>(voter.box.x1);
    sum[2] += r * static_cast<double>(voter.box.y1);
    sum[3] += r * static_cast<double>(voter.box.x2);
    sum[4] += r * static_cast<double>(voter.box.y2);
  }
  if (sum[0] == 0.0) return kept.box;
  return {static_cast<float>(sum[1] / sum[0]), static_cast<float>(sum[2] / sum[0]), static_cast<float>(sum[3] / sum[0]),
          static_cast<float>(sum[4] / sum[0])};
}

}  // namespace

bool limit_candidates(const Params& p, std::vector<Found>& found) {
  std::stable_sort(found.begin(), found.end(), [](const Found& x, const Found& y) { return x.score > y.score; });
  const auto limit = static_cast<std::size_t>(p.candidate_limit.value_or(p.multi_label ? 30'000 : 0));
  if (limit == 0 || found.size() <= limit) return false;
  found.resize(limit);
  return true;
}

std::vector<Found> select_detections(const Params& p, const std::vector<Found>& candidates) {
  std::vector<Found> kept = greedy_nms(p, candidates);
  if (p.voting) {
    for (Found& winner : kept) winner.box = voted(p, winner, candidates);
  }
  return kept;
}

}  // namespace tessera::boxdecode::reference
