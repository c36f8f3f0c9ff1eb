// YOLOv5 (v7, v7-tiny): three heads, three anchors per cell, everything in one tensor. Slot 1 of P4 finds something.
#include "run.h"

using namespace example;

int main() {
  Head<float> p3(80, 80, 3 * 6, -20.0f), p4(40, 40, 3 * 6, -20.0f), p5(20, 20, 3 * 6, -20.0f);
  p4.set(4, 3, 1 * 6, {0.5f, -0.25f, 1.0f, -1.0f, 2.0f, 1.5f});  // x, y, w, h, objectness, one class

  bd::Params params;
  params.profile = bd::Profile::YoloV5V1;
  params.heads = {bd::Head::combined(0), bd::Head::combined(1), bd::Head::combined(2)};
  params.model_input_size = {640, 640};
  params.original_image_size = {1920, 1080};  // stretched; YOLOv5 itself letterboxes: params.resize
  params.num_classes = 1;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.45f;
  params.accept_float32 = true;
  return run(params, Inputs(p3, p4, p5));
}
