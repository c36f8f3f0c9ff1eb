// Segmentation: coefficients per cell, prototypes for the image. INT8 throughout, so that the sums are exact integers.
#include "run.h"

using namespace example;

int main() {
  Head<std::int8_t> box(2, 2, 4), score(2, 2, 1, -80), coefficients(2, 2, 2), basis(4, 4, 2);
  box.set(0, 0, 0, {4, 8, 32, 24});  // sides in steps of 1/32 cell: (6, 4) to (24, 20)
  score.set(0, 0, 0, {32});
  coefficients.set(0, 0, 0, {10, -20});
  for (int row = 0; row < 4; ++row) {
    basis.set(row, 0, 0, {5, 2});  // 10 * 5 - 20 * 2 = 10: foreground, but left of the box
    basis.set(row, 1, 0, {5, 2});
    basis.set(row, 2, 0, {4, 2});  // 10 * 4 - 20 * 2 = 0: background
    basis.set(row, 3, 0, {5, 2});
  }
  box.quantize(1.0f / 32, 0);
  score.quantize(0.0625f, 0);
  coefficients.quantize(0.1f, 0);
  basis.quantize(0.1f, 0);

  bd::Params params;
  params.profile = bd::Profile::Yolo26RawLtrb;
  params.task = bd::Task::Segmentation;
  params.heads = {bd::Head::pair(0, 1).coefficients(2)};
  params.basis = 3;
  params.model_input_size = {32, 32};  // stride 16; mask pixels of 8 x 8
  params.original_image_size = {32, 32};
  params.num_classes = 1;
  params.score_activation = bd::ScoreActivation::Sigmoid;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.7f;
  const auto found = decode(params, Inputs(box, score, coefficients, basis));
  if (!found) return std::fprintf(stderr, "%s\n", bd::to_string(found.error()).c_str()), 1;
  print(*found);
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t col = 0; col < 4; ++col) std::printf("%c", found->masks[row * 4 + col] != 0 ? '#' : '.');
    std::printf("\n");
  }
}
