#pragma once
// Valid requests with heads of several tensors, for the tests of rules: BF16, two heads, 32x32 model pixels, 3 classes.

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {

/// Ports 0, 1: box and score of 4x4 cells; 2, 3: of 2x2 cells. Yolo26RawLtrb by default.
inline Case pair_case(Profile profile = Profile::Yolo26RawLtrb, std::int64_t box_channels = 4) {
  Case c;
  Params& p = c.params;
  p.profile = profile;
  p.score_activation = ScoreActivation::Sigmoid;
  p.num_classes = 3;
  p.max_detections = 8;
  p.detection_threshold = 0.5f;
  p.nms_iou_threshold = 0.5f;
  p.model_input_size = p.original_image_size = {32, 32};
  for (std::int32_t i = 0; i < 2; ++i) {
    p.heads.push_back(Head::pair(2 * i, 2 * i + 1));
    c.inputs.push_back(dense_input(DType::BFloat16, 4 >> i, 4 >> i, box_channels));
    c.inputs.push_back(dense_input(DType::BFloat16, 4 >> i, 4 >> i, 3));
  }
  c.fit_outputs();
  c.fit_bytes();
  return c;
}

/// As pair_case, with an objectness tensor per head: ports 4 and 5. YoloXV1.
inline Case objectness_case() {
  Case c = pair_case(Profile::YoloXV1);
  for (std::int32_t i = 0; i < 2; ++i) {
    c.params.heads[static_cast<std::size_t>(i)] = Head::with_objectness(2 * i, 4 + i, 2 * i + 1);
    c.inputs.push_back(dense_input(DType::BFloat16, 4 >> i, 4 >> i, 1));
  }
  c.fit_bytes();
  return c;
}

/// YoloV8V1 with keypoints: ports 4 and 5, 2 points of 3 values.
inline Case pose_case() {
  Case c = pair_case(Profile::YoloV8V1, 64);
  c.params.task = Task::Pose;
  c.params.keypoint_count = 2;
  for (std::int32_t i = 0; i < 2; ++i) {
    Head& head = c.params.heads[static_cast<std::size_t>(i)];
    head = head.keypoints(4 + i);
    c.inputs.push_back(dense_input(DType::BFloat16, 4 >> i, 4 >> i, 6));
  }
  c.outputs.push_back({{8, 2, 3}, DType::Float32, Contiguous{}, {}});
  c.fit_bytes();
  return c;
}

/// YoloV8V1 with masks: coefficients at ports 4 and 5, a basis of 5 channels and 6x7 pixels at port 6.
inline Case mask_case() {
  Case c = pair_case(Profile::YoloV8V1, 64);
  c.params.task = Task::Segmentation;
  for (std::int32_t i = 0; i < 2; ++i) {
    Head& head = c.params.heads[static_cast<std::size_t>(i)];
    head = head.coefficients(4 + i);
    c.inputs.push_back(dense_input(DType::BFloat16, 4 >> i, 4 >> i, 5));
  }
  c.params.basis = 6;
  c.inputs.push_back(dense_input(DType::BFloat16, 6, 7, 5));
  c.outputs.push_back({{8, 6, 7}, DType::UInt8, Contiguous{}, {}});
  c.fit_bytes();
  return c;
}

}  // namespace tessera::boxdecode::testing
