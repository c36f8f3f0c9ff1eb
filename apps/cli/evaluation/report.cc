#include "evaluation/report.h"

namespace tessera::cli {

Evaluation evaluate(const eval::Dataset& all, const eval::Detections& every, double confusion_threshold) {
  std::vector<bool> seen(all.photos.size());
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = has_seen(every, i);
  const eval::Dataset dataset = only_photos(all, seen);
  const eval::Detections detections = only_photos(every, seen);
  Evaluation out;
  for (const eval::Category& category : dataset.categories) out.categories.push_back(category.name);
  out.photos = dataset.photos.size();
  out.objects = dataset.objects.size();
  out.detections = detections.boxes.size();
  out.coco = score_coco(dataset, detections);
  out.voc = score_voc(dataset, detections);
  out.errors = find_errors(dataset, detections);
  out.confusion_threshold = confusion_threshold;
  out.confusion = confusion_matrix(dataset, detections, confusion_threshold);
  return out;
}

}  // namespace tessera::cli
