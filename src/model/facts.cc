#include "model/facts.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/class_names.h"
#include "model/families.h"
#include "model/untrusted_text.h"

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

Status check_anchors(const DetectorHead& head, const HeadFamily& family, const auto& fail) {
  const auto positive = [](const std::array<float, 2>& side) {
    return std::isfinite(side[0]) && side[0] > 0.0f && std::isfinite(side[1]) && side[1] > 0.0f;
  };
  const bool missing = head.anchors.empty() && !family.has_anchors;
  if (missing || !std::ranges::all_of(head.anchors, positive)) return fail("anchors must be positive");
  if (!(head.scale_xy > 0.0f) || !std::isfinite(head.scale_xy)) return fail("scale_xy must be positive");
  return {};
}

/// The head has exactly the tensors that its family's form names.
bool has_form(const DetectorHead& head, HeadForm form) {
  return head.output != kNone && (head.scores != kNone) == (form != HeadForm::combined) &&
         (head.objectness != kNone) == (form == HeadForm::objectness);
}

/// Channels of one combined tensor.
Status check_combined(const DetectorHead& head, const HeadFamily& family, int classes, std::int64_t found,
                      const auto& fail) {
  TESSERA_TRY(check_anchors(head, family, fail));
  const auto slots = head.anchors.empty() ? 3 : static_cast<std::int64_t>(head.anchors.size());
  const std::int64_t want = slots * (classes + 5);
  if (found == want) return {};
  return fail(text("has ", found, " channels, ", slots, " anchors and ", classes, " classes want ", want));
}

Status check_head(const Model& model, const HeadFamily& family, std::size_t index) {
  const DetectorHead& head = model.detector->heads[index];
  const int classes = model.detector->classes;
  const auto fail = [&](std::string_view fact) -> Status { return wrong(model, text("head ", index, ": ", fact)); };
  const auto channels = [&](ValueId id) { return extents(model.graph.value(id).spec).c; };
  if (!has_form(head, family.form)) return fail(text("has not the tensors of family ", family.name));
  const std::int64_t first = channels(head.output);
  if (family.form == HeadForm::combined) return check_combined(head, family, classes, first, fail);
  if (!head.anchors.empty()) return fail(text("has anchors, family ", family.name, " knows none"));
  if (std::ranges::find(family.box_channels, first) == family.box_channels.end()) {
    const std::string also = family.box_channels[1] != 0 ? text(" or ", family.box_channels[1]) : std::string();
    return fail(
        text("has boxes of ", first, " channels, family ", family.name, " wants ", family.box_channels[0], also));
  }
  if (head.objectness != kNone && channels(head.objectness) != 1) {
    return fail(text("has objectness of ", channels(head.objectness), " channels, want 1"));
  }
  if (channels(head.scores) == classes) return {};
  return fail(text("has scores of ", channels(head.scores), " channels for ", classes, " classes"));
}

Status check_outputs(const Model& model) {
  const std::vector<ValueId>& outputs = model.graph.outputs;
  std::size_t next = 0;
  for (std::size_t i = 0; i < model.detector->heads.size(); ++i) {
    for (const ValueId id : model.detector->heads[i].tensors()) {
      if (next < outputs.size() && outputs[next] != id) {
        return wrong(model, text("head ", i, ": is not the graph's output of the same number"));
      }
      ++next;
    }
  }
  if (next == outputs.size()) return {};
  return wrong(model, text(model.detector->heads.size(), " heads of ", next, " tensors for ", outputs.size(),
                           " graph outputs; want as many"));
}

Status check_detector(const Model& model) {
  const DetectorSpec& detector = *model.detector;
  if (detector.classes < 1 || detector.classes > static_cast<int>(kMaxClasses)) {
    return wrong(model, text("detector of ", detector.classes, " classes; want 1 to ", kMaxClasses));
  }
  if (!(detector.nms_iou >= 0.0f && detector.nms_iou <= 1.0f)) return wrong(model, "nms_iou must be from 0 to 1");
  const HeadFamily* family = find_head_family(detector.family);
  if (family == nullptr) {
    return wrong(model, text("heads of family ", quoted(detector.family), "; want one of ", head_family_names()));
  }
  TESSERA_TRY(check_outputs(model));
  for (std::size_t i = 0; i < detector.heads.size(); ++i) TESSERA_TRY(check_head(model, *family, i));
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

std::vector<ValueId> DetectorHead::tensors() const {
  std::vector<ValueId> all;
  for (const ValueId id : {output, objectness, scores}) {
    if (id != kNone) all.push_back(id);
  }
  return all;
}

Status check_facts(const Model& model) {
  TESSERA_TRY(check_preprocess(model));
  if (model.detector) TESSERA_TRY(check_detector(model));
  return check_names(model);
}

}  // namespace tessera
