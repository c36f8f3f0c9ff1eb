#include "pipeline/families.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "model/families.h"

namespace tessera {
namespace {

using boxdecode::AnchorLevel;
using boxdecode::Params;
using boxdecode::Profile;

constexpr float kUsualNmsIou = 0.45f;

struct Recipe {
  std::string_view family;
  Profile profile;
};
constexpr Recipe kRecipes[] = {
    {"anchor-grid", Profile::AnchorGridV1},
    {"yolo11", Profile::Yolo11V1},
    {"yolo26", Profile::Yolo26RawLtrb},
    {"yolov10", Profile::YoloV10V1},
    {"yolov3", Profile::YoloV3V1},
    {"yolov4", Profile::YoloV4V1},
    {"yolov5", Profile::YoloV5V1},
    {"yolov6", Profile::YoloV6V1},
    {"yolov7", Profile::YoloV7V1},
    {"yolov7-tiny", Profile::YoloV7TinyV1},
    {"yolov8", Profile::YoloV8V1},
    {"yolov9", Profile::YoloV9V1},
    {"yolox", Profile::YoloXV1},
};
static_assert(std::ranges::is_sorted(kRecipes, std::ranges::less{}, &Recipe::family));

/// The geometry of a combined head that brings its own anchors.
AnchorLevel level_of(std::string_view family, const DetectorHead& head) {
  if (family == "anchor-grid") return AnchorLevel::darknet(head.scale_xy, head.new_coords, head.anchors);
  if (family == "yolov3" || family == "yolov4") return AnchorLevel::darknet(head.scale_xy, false, head.anchors);
  return AnchorLevel::square(head.anchors);
}

Status add_combined(const DetectorSpec& detector, Params& params) {
  const bool activated = detector.heads.front().new_coords;
  for (const DetectorHead& head : detector.heads) {
    if (head.new_coords != activated) {
      return Error{Code::unsupported, "heads with and without new_coords in one model"};
    }
    params.heads.push_back(boxdecode::Head::combined(static_cast<std::int32_t>(params.heads.size())));
    if (!head.anchors.empty()) params.anchor_grid.push_back(level_of(detector.family, head));
  }
  if (!params.anchor_grid.empty()) params.profile = Profile::AnchorGridV1;
  params.score_activation = activated ? boxdecode::ScoreActivation::Identity : boxdecode::ScoreActivation::Sigmoid;
  return {};
}

void add_several(const DetectorSpec& detector, HeadForm form, Params& params) {
  std::int32_t port = 0;
  for (std::size_t i = 0; i < detector.heads.size(); ++i) {
    params.heads.push_back(form == HeadForm::pair ? boxdecode::Head::pair(port, port + 1)
                                                  : boxdecode::Head::with_objectness(port, port + 1, port + 2));
    port += form == HeadForm::pair ? 2 : 3;
  }
  params.score_activation =
      detector.activated ? boxdecode::ScoreActivation::Identity : boxdecode::ScoreActivation::Sigmoid;
}

}  // namespace

Result<Params> head_params(const DetectorSpec& detector) {
  const HeadFamily* family = find_head_family(detector.family);
  const auto recipe = std::ranges::find(kRecipes, detector.family, &Recipe::family);
  if (family == nullptr || recipe == std::end(kRecipes)) {
    return Error{Code::unsupported,
                 text("heads of family '", detector.family, "' are not decoded: want one of ", head_family_names())};
  }
  Params params;
  params.profile = recipe->profile;
  params.accept_float32 = true;
  params.num_classes = detector.classes;
  if (family->form != HeadForm::combined) {
    add_several(detector, family->form, params);
    return params;
  }
  TESSERA_TRY(add_combined(detector, params));
  return params;
}

float default_nms_iou(const DetectorSpec& detector) {
  const HeadFamily* family = find_head_family(detector.family);
  return family != nullptr && family->end_to_end ? 0.0f : kUsualNmsIou;
}

float merge_nms_iou(const Params& params) {
  const bool one_box_each = params.profile == Profile::YoloV10V1 || params.profile == Profile::Yolo26RawLtrb;
  return one_box_each && params.nms_iou_threshold == 0.0f ? kUsualNmsIou : params.nms_iou_threshold;
}

}  // namespace tessera
