// from_opencv DIR WIDTH HEIGHT: what tools/boxdecode/dump_opencv_darknet.py left in DIR for yolo-fastest-1.1 and a
// photo of that size. Anchors and scale_x_y are those of the .cfg file, per [yolo] section: coarse level first.
#include <cstdlib>
#include <string>

#include "npy.h"
#include "run.h"

using namespace example;

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: from_opencv DIR WIDTH HEIGHT\n"), 2;
  const auto coarse = read_npy(std::string(argv[1]) + "/head_0.npy"),
             fine = read_npy(std::string(argv[1]) + "/head_1.npy");
  if (!coarse || !fine) return std::fprintf(stderr, "%s: want head_0.npy and head_1.npy\n", argv[1]), 1;

  bd::Params params;
  params.profile = bd::Profile::AnchorGridV1;
  params.anchor_grid = {bd::AnchorLevel::darknet(1.0f, false, {{115, 73}, {119, 199}, {242, 238}}),  // mask = 3,4,5
                        bd::AnchorLevel::darknet(1.0f, false, {{12, 18}, {37, 49}, {52, 132}})};     // mask = 0,1,2
  params.heads = {bd::Head::combined(0), bd::Head::combined(1)};
  params.model_input_size = {320, 320};
  params.original_image_size = {std::atoi(argv[2]), std::atoi(argv[3])};
  params.num_classes = 80;
  params.max_detections = 100;
  params.detection_threshold = 0.3f;
  params.nms_iou_threshold = 0.45f;
  params.accept_float32 = true;
  Inputs inputs;
  for (const Npy* head : {&*coarse, &*fine}) inputs.add({head->shape[0], head->shape[1], head->shape[2]}, head->values);
  return run(params, inputs);
}
