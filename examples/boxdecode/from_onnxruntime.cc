// from_onnxruntime DIR WIDTH HEIGHT: what tools/boxdecode/dump_onnx_yolox.py left in DIR for a photo of that size.
#include <cstdlib>
#include <string>
#include <vector>

#include "npy.h"
#include "run.h"

using namespace example;

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: from_onnxruntime DIR WIDTH HEIGHT\n"), 2;
  std::vector<Npy> tensors;
  for (const char* level : {"0", "1", "2"}) {
    for (const char* what : {"box_", "objectness_", "score_"}) {
      const std::string path = std::string(argv[1]) + "/" + what + level + ".npy";
      auto tensor = read_npy(path);
      if (!tensor) return std::fprintf(stderr, "%s: not a tensor of three axes of floats\n", path.c_str()), 1;
      tensors.push_back(*std::move(tensor));
    }
  }

  bd::Params params;
  params.profile = bd::Profile::YoloXV1;
  params.model_input_size = {416, 416};
  params.original_image_size = {std::atoi(argv[2]), std::atoi(argv[3])};
  params.resize = bd::Resize::letterbox(bd::Resize::Anchor::TopLeft);
  params.num_classes = 80;
  params.score_activation = bd::ScoreActivation::Sigmoid;  // the dump stands in front of the graph's own sigmoid
  params.max_detections = 100;
  params.detection_threshold = 0.3f;
  params.nms_iou_threshold = 0.45f;
  params.accept_float32 = true;
  Inputs inputs;
  for (const Npy& tensor : tensors) inputs.add({tensor.shape[0], tensor.shape[1], tensor.shape[2]}, tensor.values);
  for (const std::int32_t port : {0, 3, 6}) {
    params.heads.push_back(bd::Head::with_objectness(port, port + 1, port + 2));
  }
  return run(params, inputs);
}
