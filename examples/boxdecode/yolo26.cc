// YOLO26: one head of 2 x 2 cells, stride 16, 3 classes, in BF16.
#include "run.h"

using namespace example;

int main() {
  Head<std::uint16_t> box(2, 2, 4, 0x3F00), score(2, 2, 3);  // all sides 0.5 cells
  box.set(1, 0, 0, {0x3F00, 0x3FC0, 0x3F00, 0xBF00});        // 0.5, 1.5, 0.5, -0.5: the box of cell (0, 0) once more
  score.set(0, 0, 0, {0x3F80, 0x3F80, 0xBF80});              // 1, 1, -1: the first of equal classes
  score.set(0, 1, 0, {0x8000, 0x0000, 0xC000});  // -0 and 0 are equal: class 0, sigmoid(0) = 0.5 is admitted
  score.set(1, 0, 0, {0x3F80, 0xBF80, 0xBF80});  // ties with the first cell, which came first: suppressed
  score.set(1, 1, 0, {0xBF80, 0x7FC0, 0x4040});  // a NaN wins its cell, and the cell yields nothing

  bd::Params params;
  params.profile = bd::Profile::Yolo26RawLtrb;
  params.heads = {bd::Head::pair(0, 1)};
  params.model_input_size = {32, 32};
  params.original_image_size = {64, 48};  // stretched to 32 x 32
  params.num_classes = 3;
  params.score_activation = bd::ScoreActivation::Sigmoid;
  params.max_detections = 4;
  params.detection_threshold = 0.5f;
  params.nms_iou_threshold = 0.5f;
  return run(params, Inputs(box, score));
}
