#include <nlohmann/json.hpp>

#include "base/text.h"
#include "evaluation/report.h"

namespace tessera::cli {
namespace {

using Json = nlohmann::ordered_json;

/// 0.001 as it was typed, not 0.0010000000474974513.
Json share(float value) { return Json::parse(text(value)); }
Json share(const std::optional<float>& value) { return value ? share(*value) : Json(nullptr); }

Json run_json(const RunFacts& run) {
  const DetectorOptions& o = run.options;
  return {{"model", run.model},
          {"device", run.device},
          {"precision", "f32"},
          {"input", {run.width, run.height}},
          {"mosaic", {o.mosaic.rows, o.mosaic.cols}},
          {"letterbox", o.letterbox ? Json(*o.letterbox) : Json(nullptr)},
          {"workers", run.workers},
          {"threads", run.threads},
          {"threshold", share(o.threshold)},
          {"nms_iou", share(run.nms_iou)},
          {"max_detections", o.max_detections},
          {"max_per_class", o.box_step.max_per_class},
          {"multi_label", o.multi_label},
          {"class_agnostic", o.class_agnostic},
          {"flip", o.flip},
          {"pixels", o.byte_pixels ? "u8" : "f32"},
          {"replaced", o.replaced},
          {"power_rank", o.box_step.power_rank},
          {"voting", share(o.box_step.voting_iou)},
          {"edge_penalty", share(o.box_step.edge_penalty)},
          {"stopped", run.stopped}};
}

Json categories_json(const Evaluation& e) {
  Json out = Json::array();
  for (std::size_t k = 0; k < e.categories.size(); ++k) {
    const eval::CategoryScore& coco = e.coco.categories[k];
    const eval::VocCategory& voc = e.voc.categories[k];
    out.push_back({{"class", e.categories[k]},
                   {"objects", coco.objects},
                   {"detections", coco.detections},
                   {"ap", coco.ap},
                   {"ap_50", coco.ap50},
                   {"ap_75", coco.ap75},
                   {"ar_100", coco.ar100},
                   {"voc_every_point", voc.every_point},
                   {"voc_eleven_point", voc.eleven_point}});
  }
  return out;
}

Json errors_json(const eval::ErrorKinds& errors) {
  Json out;
  for (std::size_t k = 0; k < eval::kErrorKinds; ++k) {
    const auto kind = static_cast<eval::ErrorKind>(k);
    out[to_string(kind)] = {{"count", errors.of(kind).count}, {"costs_map_50", errors.of(kind).cost}};
  }
  return out;
}

/// Cells as {"object","detection","count"}; null is nothing.
Json confusion_json(const Evaluation& e) {
  const auto name = [&](std::int32_t category) {
    return category == eval::kNothing ? Json(nullptr) : Json(e.categories[static_cast<std::size_t>(category)]);
  };
  Json cells = Json::array();
  for (const eval::ConfusionCell& cell : e.confusion) {
    cells.push_back({{"object", name(cell.object)}, {"detection", name(cell.detection)}, {"count", cell.count}});
  }
  return {{"threshold", e.confusion_threshold}, {"iou", 0.5}, {"cells", std::move(cells)}};
}

Json difference_json(const eval::Difference& d) {
  return {{"difference", d.value}, {"low", d.low}, {"high", d.high}, {"better_share", d.first_better}};
}
Json comparison_json(const ComparisonFacts& c) {
  return {{"against", c.against},
          {"photos", c.photos},
          {"resamples", c.result.resamples},
          {"seed", c.seed},
          {"confidence", c.confidence},
          {"map_50", difference_json(c.result.map_50)},
          {"map_50_95", difference_json(c.result.map_50_95)}};
}

}  // namespace

std::string evaluation_json(const Evaluation& e) {
  Json out{{"map_50", e.coco.stats.ap50}, {"map_50_95", e.coco.stats.ap}, {"photos", e.photos}};
  const auto time = [&](double RunFacts::*member) { return e.run ? Json((*e.run).*member) : Json(nullptr); };
  out["ms_per_photo"] = time(&RunFacts::ms_per_photo);
  out["first_photo_ms"] = time(&RunFacts::first_photo_ms);
  out["steady_ms_per_photo"] = time(&RunFacts::steady_ms_per_photo);
  out["failed"] = e.failed;
  out["absent"] = e.absent;
  out["annotations"] = e.annotations;
  out["objects"] = e.objects;
  out["detections"] = e.detections;
  for (const eval::NamedStat& stat : named(e.coco.stats)) out["coco"][std::string(stat.name)] = stat.value;
  out["voc"] = {{"every_point", e.voc.every_point}, {"eleven_point", e.voc.eleven_point}};
  out["classes"] = categories_json(e);
  out["errors"] = errors_json(e.errors);
  out["confusion"] = confusion_json(e);
  if (e.run) out["run"] = run_json(*e.run);
  if (e.comparison) out["comparison"] = comparison_json(*e.comparison);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera::cli
