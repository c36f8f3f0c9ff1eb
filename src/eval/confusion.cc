#include "eval/confusion.h"

#include <algorithm>
#include <map>
#include <utility>

#include "eval/by_photo.h"
#include "eval/overlap.h"

namespace tessera::eval {
namespace {

using Indices = std::vector<std::uint32_t>;

class Counter {
 public:
  Counter(const Dataset& dataset, const Detections& detections, double min_score, double iou)
      : dataset_(dataset), detections_(detections), min_score_(min_score), iou_(iou) {}

  void photo(const Indices& objects, Indices boxes) {
    std::erase_if(boxes, [&](std::uint32_t i) { return detections_.boxes[i].score < min_score_; });
    std::ranges::stable_sort(boxes, std::ranges::greater{},
                             [&](std::uint32_t i) { return detections_.boxes[i].score; });
    std::vector<bool> taken(objects.size());
    for (const std::uint32_t i : boxes) detection(detections_.boxes[i], objects, taken);
    for (std::size_t o = 0; o < objects.size(); ++o) {
      const Object& object = dataset_.objects[objects[o]];
      if (!object.crowd && !taken[o]) ++counts_[{object.category, kNothing}];
    }
  }

  std::vector<ConfusionCell> cells() const {
    std::vector<ConfusionCell> out;
    for (const auto& [pair, count] : counts_) out.push_back({pair.first, pair.second, count});
    return out;
  }

 private:
  void detection(const Scored& box, const Indices& objects, std::vector<bool>& taken) {
    double most = iou_;
    std::optional<std::size_t> best;
    bool on_crowd = false;
    for (std::size_t o = 0; o < objects.size(); ++o) {
      const Object& object = dataset_.objects[objects[o]];
      const double overlap = coco_iou(box.box, object.box, object.crowd);
      if (object.crowd) {
        on_crowd = on_crowd || overlap >= iou_;
      } else if (!taken[o] && (best ? overlap > most : overlap >= most)) {
        most = overlap;
        best = o;
      }
    }
    if (best) {
      taken[*best] = true;
      ++counts_[{dataset_.objects[objects[*best]].category, box.category}];
    } else if (!on_crowd) {
      ++counts_[{kNothing, box.category}];
    }
  }

  const Dataset& dataset_;
  const Detections& detections_;
  double min_score_, iou_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> counts_;
};

}  // namespace

std::vector<ConfusionCell> confusion_matrix(const Dataset& dataset, const Detections& detections, double min_score,
                                            double iou) {
  const auto objects = by_photo(dataset.objects, dataset.photos.size());
  const auto boxes = by_photo(detections.boxes, dataset.photos.size());
  Counter counter(dataset, detections, min_score, iou);
  for (std::size_t p = 0; p < objects.size(); ++p) counter.photo(objects[p], boxes[p]);
  return counter.cells();
}

}  // namespace tessera::eval
