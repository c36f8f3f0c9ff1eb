// Anchors from a model file: one head of stride 32 with two anchors per cell, as a Darknet [yolo] section tells them.
#include "run.h"

using namespace example;

int main() {
  Head<float> head(20, 20, 2 * 7, -20.0f);
  head.set(9, 5, 1 * 7, {0.0f, 0.0f, 0.0f, 0.0f, 3.0f, -9.0f, 2.0f});  // slot 1: its anchor in the middle of the cell

  bd::Params params;
  params.profile = bd::Profile::AnchorGridV1;
  params.anchor_grid = {bd::AnchorLevel::darknet(/*scale_x_y=*/1.05f, /*new_coords=*/false, {{142, 110}, {192, 243}})};
  params.heads = {bd::Head::combined(0)};
  params.model_input_size = {640, 640};
  params.original_image_size = {640, 640};
  params.num_classes = 2;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.45f;
  params.accept_float32 = true;
  return run(params, Inputs(head));
}
