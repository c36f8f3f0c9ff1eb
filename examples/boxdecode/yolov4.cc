// YOLOv3 and YOLOv4: the same logits in slot 0 of P3 under both profiles.
#include <initializer_list>

#include "run.h"

using namespace example;

int main() {
  Head<float> p3(20, 20, 3 * 6, -20.0f), p4(10, 10, 3 * 6, -20.0f), p5(5, 5, 3 * 6, -20.0f);
  p3.set(9, 5, 0, {1.0f, -1.0f, 0.5f, -0.5f, 8.0f, 8.0f});  // x, y, w, h, objectness, one class

  bd::Params params;
  params.heads = {bd::Head::combined(0), bd::Head::combined(1), bd::Head::combined(2)};
  params.model_input_size = {160, 160};
  params.original_image_size = {160, 160};
  params.num_classes = 1;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.45f;
  params.accept_float32 = true;
  for (const auto profile : {bd::Profile::YoloV3V1, bd::Profile::YoloV4V1}) {
    std::printf("%s\n", bd::to_string(profile));
    params.profile = profile;
    if (run(params, Inputs(p3, p4, p5)) != 0) return 1;
  }
}
