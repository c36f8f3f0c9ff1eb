// Annotations, then results scored against them: the bytes up to the first NUL are one file, the rest the other.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "eval/bootstrap.h"
#include "eval/coco.h"
#include "eval/confusion.h"
#include "eval/error_kinds.h"
#include "eval/read/readers.h"
#include "eval/voc.h"

namespace {

using namespace tessera::eval;

void want(bool holds) {
  if (!holds) std::abort();
}
void want_figure(double value) { want(value == -1 || (value >= 0 && value <= 1 + 1e-9)); }

void score_everything(const Dataset& dataset, const Detections& detections) {
  for (const NamedStat& stat : named(score_coco(dataset, detections).stats)) want_figure(stat.value);
  want_figure(score_voc(dataset, detections).eleven_point);
  want_figure(find_errors(dataset, detections).map_50);
  for (const ConfusionCell& cell : confusion_matrix(dataset, detections, 0.25)) want(cell.count > 0);
  const auto compared = paired_bootstrap(dataset, detections, {}, {.resamples = 2});
  want(compared.has_value() == !dataset.photos.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(data, size);
  const auto cut = static_cast<std::size_t>(std::ranges::find(bytes, 0) - bytes.begin());
  const auto dataset = parse_coco_annotations(std::as_bytes(bytes.first(cut)), "gt.json");
  if (!dataset) {
    want(dataset.error().message.starts_with("gt.json: "));
    return 0;
  }
  const auto detections = parse_coco_results(std::as_bytes(bytes.subspan(std::min(cut + 1, size))), "r.json", *dataset);
  if (!detections) {
    want(detections.error().message.starts_with("r.json: "));
    return 0;
  }
  score_everything(*dataset, *detections);
  return 0;
}
