// [yolo]: an anchor-grid head. The layer before it is a raw output of the graph; decoding belongs to BoxDecode.

#include <algorithm>

#include "base/text.h"
#include "model/darknet/layers/layers.h"

namespace tessera::darknet {
namespace {

using enum KeyUse;

constexpr Key kYoloKeys[] = {
    {"anchors"},
    {"beta_nms", training},  // the exponent of one NMS kind, not a threshold
    {"class_weights", training},
    {"classes"},
    {"classes_multipliers", training},
    {"cls_normalizer", training},
    {"counters_per_class", training},
    {"delta_normalizer", training},
    {"embedding_layer", training},
    {"focal_loss", training},
    {"ignore_thresh", training},
    {"iou_loss", training},
    {"iou_normalizer", training},
    {"iou_thresh", training},
    {"iou_thresh_kind", training},
    {"jitter", training},
    {"label_smooth_eps", training},
    {"map", training},
    {"mask"},
    {"max", training},
    {"max_delta", training},
    {"new_coords"},
    {"nms_kind", training},
    {"nms_threshold"},
    {"num"},
    {"obj_normalizer", training},
    {"objectness_smooth", training},
    {"random", training},
    {"resize", training},
    {"scale_x_y"},
    {"show_details", training},
    {"thresh", training},
    {"track_history_size", training},
    {"truth_thresh", training},
    {"uc_normalizer", training},
};

constexpr Range kAnchorCount{1, 1000};

/// The anchors this head uses: those of the list that the mask names, all without a mask.
Result<std::vector<std::array<float, 2>>> read_anchors(SectionReader& keys) {
  keys.require("anchors", "the head's boxes are relative to them");
  const int num = keys.integer("num", 1, kAnchorCount);
  const auto sides = keys.numbers("anchors", 1e-3f, 1e6f);
  auto mask = keys.integers("mask", {0, num - 1});
  TESSERA_TRY(keys.status());
  if (sides.size() != 2 * static_cast<std::size_t>(num)) {
    return keys.fail(Code::invalid_argument, "anchors",
                     text("anchors has ", sides.size(), " numbers, num=", num, " wants ", 2 * num));
  }
  if (!keys.has("mask")) {
    for (int i = 0; i < num; ++i) mask.push_back(i);
  }
  std::vector<std::array<float, 2>> anchors;
  for (int i : mask)
    anchors.push_back({sides[2 * static_cast<std::size_t>(i)], sides[2 * static_cast<std::size_t>(i) + 1]});
  return anchors;
}

/// What all heads of a network share; the first one decides.
Status join_detector(LayerContext& layer, int classes) {
  const float nms_iou = layer.keys.number("nms_threshold", 0.45f, 0.0f, 1.0f);
  TESSERA_TRY(layer.keys.status());
  if (!layer.out.detector) {
    layer.out.detector = DetectorSpec{.family = "anchor-grid", .classes = classes, .heads = {}, .nms_iou = nms_iou};
  }
  if (layer.out.detector->classes == classes) return {};
  return layer.keys.fail(
      Code::invalid_argument, "classes",
      text("classes=", classes, ", the head before has ", layer.out.detector->classes, "; all must agree"));
}

Status build_yolo(LayerContext& layer) {
  auto src = layer.previous();
  if (!src) return src.error();
  SectionReader& keys = layer.keys;
  DetectorHead head{.output = src->value, .anchors = {}};
  const int classes = keys.integer("classes", 20, {1, 1 << 16});
  head.scale_xy = keys.number("scale_x_y", 1.0f, 0.01f, 100.0f);
  head.new_coords = keys.flag("new_coords", false);
  TESSERA_TRY(keys.status());
  auto anchors = read_anchors(keys);
  if (!anchors) return anchors.error();
  head.anchors = std::move(*anchors);

  const std::int64_t want = static_cast<std::int64_t>(head.anchors.size()) * (classes + 5);
  if (src->c != want) {
    return keys.fail(Code::invalid_argument, text("the layer before has ", src->c, " channels; ", head.anchors.size(),
                                                  " anchors of ", classes, " classes + 5 want filters=", want));
  }
  TESSERA_TRY(join_detector(layer, classes));
  layer.out.graph.outputs.push_back(head.output);
  layer.out.detector->heads.push_back(std::move(head));
  src->head = true;
  return layer.finish(*src);
}

}  // namespace

constexpr LayerKind kYolo{"yolo", kYoloKeys, build_yolo};

}  // namespace tessera::darknet
