// Small valid problems that tests start from.

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {

TensorSpec dense_input(DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t pixel_channels,
                       std::int64_t row_gap) {
  TensorSpec spec;
  spec.shape = {h, w, c};
  spec.dtype = dtype;
  const std::int64_t element = element_size(dtype);
  if (pixel_channels != 0) {
    spec.layout = Strided{{(w * pixel_channels + row_gap) * element, pixel_channels * element, element}};
  }
  if (dtype == DType::Int8) spec.quant = Quant{0.0625f, 0};
  return spec;
}

TensorSpec blocked_input(DType dtype, std::int64_t h, std::int64_t w, std::int64_t c, MlaCBlocked tile) {
  TensorSpec spec = dense_input(dtype, h, w, c);
  spec.layout = tile;
  return spec;
}

namespace {

Params base_params(std::int32_t classes) {
  Params p;
  p.num_classes = classes;
  p.max_detections = 8;
  p.detection_threshold = 0.5f;
  p.nms_iou_threshold = 0.5f;
  p.accept_float32 = true;
  return p;
}

void fill_all(Case& c, float value) {
  for (std::size_t port = 0; port < c.inputs.size(); ++port) {
    const TensorSpec& spec = c.inputs[port];
    for (std::int64_t y = 0; y < spec.shape[0]; ++y) {
      for (std::int64_t x = 0; x < spec.shape[1]; ++x) {
        for (std::int64_t channel = 0; channel < spec.shape[2]; ++channel) c.put(port, y, x, channel, value);
      }
    }
  }
}

}  // namespace

Case yolo_v4_case(std::int32_t classes) {
  Case c;
  c.params = base_params(classes);
  c.params.profile = Profile::YoloV4V1;
  c.params.model_input_size = {64, 64};
  c.params.original_image_size = {128, 64};
  for (std::int32_t i = 0; i < 3; ++i) {
    c.params.heads.push_back(Head::combined(i));
    c.inputs.push_back(dense_input(DType::Float32, 8 >> i, 8 >> i, 3 * (classes + 5)));
  }
  c.fit_outputs();
  c.fit_bytes();
  fill_all(c, -20.0f);
  return c;
}

Case one_head_case(std::int64_t h, std::int64_t w, std::int32_t slots, std::int32_t classes) {
  Case c;
  c.params = base_params(classes);
  c.params.profile = Profile::AnchorGridV1;
  c.params.model_input_size = {static_cast<std::int32_t>(8 * w), static_cast<std::int32_t>(8 * h)};
  c.params.original_image_size = c.params.model_input_size;
  c.params.heads = {Head::combined(0)};
  AnchorLevel level;
  for (std::int32_t slot = 0; slot < slots; ++slot) {
    level.anchors.push_back({16.0f * static_cast<float>(slot + 1), 8.0f * static_cast<float>(slot + 1)});
  }
  c.params.anchor_grid = {level};
  c.inputs = {dense_input(DType::Float32, h, w, slots * (classes + 5))};
  c.fit_outputs();
  c.fit_bytes();
  fill_all(c, -20.0f);
  return c;
}

Case separate_case(Profile profile, std::int64_t h, std::int64_t w, std::int32_t classes, std::int64_t box_channels) {
  Case c;
  c.params = base_params(classes);
  c.params.profile = profile;
  c.params.score_activation = ScoreActivation::Sigmoid;
  c.params.model_input_size = {static_cast<std::int32_t>(8 * w), static_cast<std::int32_t>(8 * h)};
  c.params.original_image_size = c.params.model_input_size;
  c.inputs = {dense_input(DType::Float32, h, w, box_channels), dense_input(DType::Float32, h, w, classes)};
  c.params.heads = {Head::pair(0, 1)};
  if (profile == Profile::YoloXV1) {
    c.inputs.push_back(dense_input(DType::Float32, h, w, 1));
    c.params.heads = {Head::with_objectness(0, 2, 1)};
  }
  c.fit_outputs();
  c.fit_bytes();
  fill_all(c, -20.0f);
  return c;
}

}  // namespace tessera::boxdecode::testing
