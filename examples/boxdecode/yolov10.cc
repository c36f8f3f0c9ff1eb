// YOLOv10: the heads of YOLOv8; a network that needs no suppression, so that at 0 there is none.
#include <initializer_list>

#include "run.h"

using namespace example;

int main() {
  Head<float> box(40, 40, 64), score(40, 40, 1, -20.0f);  // all logits equal: every side is 7.5 cells
  score.set(20, 20, 0, {2.0f});
  score.set(20, 21, 0, {1.0f});

  bd::Params params;
  params.profile = bd::Profile::YoloV10V1;
  params.heads = {bd::Head::pair(0, 1)};
  params.model_input_size = {320, 320};  // stride 8
  params.original_image_size = {320, 320};
  params.num_classes = 1;
  params.score_activation = bd::ScoreActivation::Sigmoid;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.accept_float32 = true;
  for (const float threshold : {0.0f, 0.5f}) {
    std::printf("nms_iou_threshold %g\n", threshold);
    params.nms_iou_threshold = threshold;
    if (run(params, Inputs(box, score)) != 0) return 1;
  }
}
