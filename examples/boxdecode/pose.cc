// Pose: the same keypoint logits under YOLOv8 and YOLO26, which place them differently.
#include <initializer_list>

#include "run.h"

using namespace example;

int main() {
  Head<float> score(20, 20, 1, -20.0f), points(20, 20, 1 * 3);
  score.set(5, 12, 0, {2.0f});
  points.set(5, 12, 0, {0.75f, -1.5f, 1.0f});  // x, y, visibility of the only keypoint
  const Head<float> bins(20, 20, 64), sides(20, 20, 4, 2.0f);

  bd::Params params;
  params.task = bd::Task::Pose;
  params.heads = {bd::Head::pair(0, 1).keypoints(2)};
  params.model_input_size = {160, 160};  // stride 8
  params.original_image_size = {160, 160};
  params.num_classes = 1;
  params.keypoint_count = 1;
  params.score_activation = bd::ScoreActivation::Sigmoid;
  params.max_detections = 10;
  params.detection_threshold = 0.25f;
  params.nms_iou_threshold = 0.7f;
  params.accept_float32 = true;
  for (const auto profile : {bd::Profile::YoloV8V1, bd::Profile::Yolo26RawLtrb}) {
    params.profile = profile;
    const bool is_v8 = profile == bd::Profile::YoloV8V1;
    const auto found = decode(params, Inputs(is_v8 ? bins : sides, score, points));
    if (!found) return std::fprintf(stderr, "%s\n", bd::to_string(found.error()).c_str()), 1;
    std::printf("%s\n", bd::to_string(profile));
    print(*found);
    std::printf("  keypoint %.9g %.9g  %.9g\n", found->keypoints[0], found->keypoints[1], found->keypoints[2]);
  }
}
