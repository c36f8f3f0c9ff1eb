#include "model/facts.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/class_names.h"

namespace tessera {
namespace {

Error wrong(const Model& model, std::string_view fact) {
  return {Code::invalid_argument, text("model '", model.name, "': ", fact)};
}

/// A model that takes photos has one input; others leave width and height at 0.
Status check_preprocess(const Model& model) {
  const Preprocess& pre = model.preprocess;
  if (pre.width == 0 && pre.height == 0) return {};
  if (model.graph.inputs.size() != 1) return wrong(model, "preprocessing is given, but the graph has not one input");
  const Extents in = extents(model.graph.value(model.graph.inputs.front()).spec);
  if (in.h != pre.height || in.w != pre.width || in.c != pre.channels) {
    return wrong(model, text("preprocessing makes ", pre.height, "x", pre.width, "x", pre.channels,
                             ", the graph takes ", in.h, "x", in.w, "x", in.c));
  }
  const auto good = [](float v) { return std::isfinite(v); };
  const auto divides = [](float v) { return std::isfinite(v) && v != 0.0f; };
  if (!divides(pre.scale) || !std::ranges::all_of(pre.mean, good) || !std::ranges::all_of(pre.std, divides)) {
    return wrong(model, "preprocessing: scale and std must be finite and not 0, mean finite");
  }
  return {};
}

Status check_head(const Model& model, std::size_t index) {
  const AnchorHead& head = model.detector->heads[index];
  const auto fail = [&](std::string_view fact) { return wrong(model, text("head ", index, ": ", fact)); };
  if (head.output != model.graph.outputs[index]) return fail("is not the graph's output of the same number");
  const auto positive = [](const std::array<float, 2>& side) {
    return std::isfinite(side[0]) && side[0] > 0.0f && std::isfinite(side[1]) && side[1] > 0.0f;
  };
  if (head.anchors.empty() || !std::ranges::all_of(head.anchors, positive)) return fail("anchors must be positive");
  if (!(head.scale_xy > 0.0f) || !std::isfinite(head.scale_xy)) return fail("scale_xy must be positive");
  const auto slots = static_cast<std::int64_t>(head.anchors.size());
  const std::int64_t want = slots * (model.detector->classes + 5),
                     found = extents(model.graph.value(head.output).spec).c;
  if (found == want) return {};
  return fail(
      text("has ", found, " channels, ", slots, " anchors and ", model.detector->classes, " classes want ", want));
}

Status check_detector(const Model& model) {
  const DetectorSpec& detector = *model.detector;
  if (detector.classes < 1 || detector.classes > static_cast<int>(kMaxClasses)) {
    return wrong(model, text("detector of ", detector.classes, " classes; want 1 to ", kMaxClasses));
  }
  if (!(detector.nms_iou >= 0.0f && detector.nms_iou <= 1.0f)) return wrong(model, "nms_iou must be from 0 to 1");
  if (detector.family != "anchor-grid") return {};  // the families of BoxDecode check their own heads
  if (detector.heads.size() != model.graph.outputs.size()) {
    return wrong(
        model, text(detector.heads.size(), " heads for ", model.graph.outputs.size(), " graph outputs; want as many"));
  }
  for (std::size_t i = 0; i < detector.heads.size(); ++i) TESSERA_TRY(check_head(model, i));
  return {};
}

Status check_names(const Model& model) {
  if (model.class_names.empty()) return {};
  if (!model.detector) return wrong(model, "has no detector head; class names mean nothing to it");
  if (model.class_names.size() != static_cast<std::size_t>(model.detector->classes)) {
    return wrong(model, text(model.class_names.size(), " class names for ", model.detector->classes, " classes"));
  }
  for (const std::string& name : model.class_names) {
    if (!is_plain_utf8(name)) return wrong(model, "a class name is not UTF-8 text");
  }
  return {};
}

}  // namespace

Status check_facts(const Model& model) {
  TESSERA_TRY(check_preprocess(model));
  if (model.detector) TESSERA_TRY(check_detector(model));
  return check_names(model);
}

}  // namespace tessera
