// YOLOv6: plain distances (n, s), or distributions over 17 bins (m, l). The box channels tell which.
#include "run.h"

using namespace example;

int main() {
  bd::Params params;
  params.profile = bd::Profile::YoloV6V1;
  params.heads = {bd::Head::pair(0, 1)};
  params.model_input_size = {320, 320};  // stride 16
  params.original_image_size = {320, 320};
  params.num_classes = 1;
  params.score_activation = bd::ScoreActivation::Sigmoid;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.65f;
  params.accept_float32 = true;

  Head<float> score(20, 20, 1, -20.0f);
  score.set(6, 4, 0, {2.0f});
  Head<float> plain(20, 20, 4);
  plain.set(6, 4, 0, {1.5f, 2.0f, 3.25f, 0.75f});
  if (run(params, Inputs(plain, score)) != 0) return 1;

  Head<float> other_score(20, 20, 1, -20.0f);
  other_score.set(10, 9, 0, {2.0f});
  const Head<float> bins(20, 20, 4 * 17);  // all logits equal: every side is 8 cells
  return run(params, Inputs(bins, other_score));
}
