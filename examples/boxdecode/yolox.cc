// YOLOX: box, objectness and classes in tensors of their own. Exported heads are activated already: Identity.
#include "run.h"

using namespace example;

int main() {
  Head<float> box(10, 10, 4), objectness(10, 10, 1), score(10, 10, 2);
  box.set(2, 7, 0, {0.25f, -0.5f, 1.0f, 0.0f});  // x, y in cells; the logarithms of w, h in cells
  objectness.set(2, 7, 0, {0.25f});
  score.set(2, 7, 0, {0.0f, 1.5f});  // above 1 for the sake of the example: 0.25 * 1.5 reaches 0.3

  bd::Params params;
  params.profile = bd::Profile::YoloXV1;
  params.heads = {bd::Head::with_objectness(0, 1, 2)};
  params.model_input_size = {320, 320};  // stride 32
  params.original_image_size = {320, 320};
  params.num_classes = 2;
  params.score_activation = bd::ScoreActivation::Identity;
  params.max_detections = 10;
  params.detection_threshold = 0.3f;
  params.nms_iou_threshold = 0.45f;
  params.accept_float32 = true;
  return run(params, Inputs(box, objectness, score));
}
