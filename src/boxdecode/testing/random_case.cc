#include "boxdecode/testing/random_case.h"

#include "boxdecode/testing/random_heads.h"
#include "boxdecode/testing/random_values.h"

namespace tessera::boxdecode::testing {
namespace {

constexpr float kThresholds[] = {0.0f,        -0.0f, 1.4e-45f,    0.001f, 0.25f, 0.45f,
                                 0.49999997f, 0.5f,  0.50000006f, 0.75f,  0.9f,  0.99999994f};
constexpr float kIous[] = {0.0f, -0.0f, 0.25f, 0.45f, 0.5f, 0.75f, 1.0f};

void choose_selection(Choices& choices, Params& p) {
  p.detection_threshold = choices.pick(kThresholds);
  p.nms_iou_threshold = choices.pick(kIous);
  p.max_detections = choices.one_in(3) ? choices.between(1, 3) : choices.between(1, 60);
  p.nms_class_agnostic = choices.one_in(4);
  p.multi_label = choices.one_in(4);
  if (choices.one_in(3)) p.candidate_limit = choices.between(p.multi_label ? 1 : 0, 20);
  if (choices.one_in(4)) p.max_per_class = choices.between(1, 4);
  if (choices.one_in(3)) p.rank_rule = RankRule::PowerHalf125;
  if (choices.one_in(2)) p.box_encoding = BoxEncoding::TopLeftXywh;
  const bool end_to_end = p.profile == Profile::Yolo26RawLtrb || p.profile == Profile::YoloV10V1;
  if (end_to_end && p.nms_iou_threshold == 0.0f) return;  // no NMS, no voting
  if (choices.one_in(3)) p.voting = Voting{choices.pick({0.0f, 0.3f, 0.75f, 1.0f})};
}

void choose_mapping(Choices& choices, Case& c) {
  Params& p = c.params;
  const auto size = [&] { return ImageSize{choices.between(1, 3000), choices.between(1, 3000)}; };
  p.original_image_size = size();
  const std::int32_t w = p.model_input_size.width / p.mosaic.cols, h = p.model_input_size.height / p.mosaic.rows;
  switch (choices.below(4)) {
    case 0:
      p.resize = Resize::letterbox();
      break;
    case 1:
      p.resize = Resize::letterbox(Resize::Anchor::TopLeft);
      break;
    case 2: {
      const ImageSize scaled{choices.between(1, w), choices.between(1, h)};
      p.resize =
          Resize::explicit_size(scaled, choices.between(0, w - scaled.width), choices.between(0, h - scaled.height));
      break;
    }
    default:
      break;
  }
  if (!choices.one_in(3)) return;
  for (std::int32_t i = 0; i < p.mosaic.rows * p.mosaic.cols; ++i) c.original_sizes.push_back(size());
}

}  // namespace

Case random_case(Choices& choices) {
  Case c;
  c.params.accept_float32 = true;
  choose_profile(choices, c.params);
  choose_selection(choices, c.params);
  choose_heads(choices, c);
  choose_mapping(choices, c);
  c.fit_outputs(choices.one_in(2) ? DType::Int32 : DType::Float32);
  c.fit_bytes();
  fill_random(choices, c);
  return c;
}

}  // namespace tessera::boxdecode::testing
