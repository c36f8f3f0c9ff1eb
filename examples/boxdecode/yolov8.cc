// YOLOv8, v9, 11: distances as distributions over 16 bins, left, top, right, bottom.
#include "run.h"

using namespace example;

int main() {
  Head<float> box(20, 20, 64), score(20, 20, 2, -20.0f);
  box.set(5, 12, 0 * 16 + 3, {10.0f});         // left: one bin stands out: 3.0032666
                                               // top: all equal: the mean, 7.5
  box.set(5, 12, 2 * 16 + 2, {20.0f, 20.0f});  // right: two bins share: 2.5
  box.set(5, 12, 3 * 16,
          {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 3.5f, 4.0f, 4.5f, 5.0f, 5.5f, 6.0f, 6.5f, 7.0f, 7.5f});
  score.set(5, 12, 0, {-2.0f, 1.5f});

  bd::Params params;
  params.profile = bd::Profile::YoloV8V1;  // or YoloV9V1, Yolo11V1: the same heads
  params.heads = {bd::Head::pair(0, 1)};
  params.model_input_size = {160, 160};  // stride 8
  params.original_image_size = {160, 160};
  params.num_classes = 2;
  params.score_activation = bd::ScoreActivation::Sigmoid;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.7f;
  params.accept_float32 = true;
  return run(params, Inputs(box, score));
}
