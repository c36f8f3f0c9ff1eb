#include "pipeline/contract.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "graph/take_bytes.h"
#include "pipeline/families.h"

namespace tessera {
namespace {

LogSink log_sink(const DetectorOptions& options) {
  if (!options.log) return {};
  return [log = options.log](LogLevel, std::string_view line) { log(line); };
}

Result<std::optional<InputSize>> input_size(const DetectorOptions& options) {
  if (options.width == 0 && options.height == 0) return std::optional<InputSize>{};
  if (options.width <= 0 || options.height <= 0) {
    return Error{Code::invalid_argument, text("input size ", options.width, "x", options.height,
                                              ": want a width and a height above 0, or neither")};
  }
  return std::optional<InputSize>(InputSize{options.height, options.width});
}

void add_box_step(const BoxStep& step, boxdecode::Params& params) {
  if (step.power_rank) params.rank_rule = boxdecode::RankRule::PowerHalf125;
  if (step.voting_iou) params.voting = boxdecode::Voting{*step.voting_iou};
  if (step.edge_penalty) params.edge_penalty = boxdecode::EdgePenalty{*step.edge_penalty, step.edge_margin};
  params.max_per_class = step.max_per_class;
}

boxdecode::Resize resize_of(const CanvasSpec& canvas) {
  using Anchor = boxdecode::Resize::Anchor;
  if (canvas.fit != CanvasFit::letterbox) return boxdecode::Resize::stretch();
  return boxdecode::Resize::letterbox(canvas.align == CanvasAlign::top_left ? Anchor::TopLeft : Anchor::Center);
}

}  // namespace

Result<CanvasSpec> canvas_spec(const Preprocess& preprocess) {
  if (preprocess.channels != 3) {
    return Error{Code::unsupported, text("the model's input has ", preprocess.channels, " channels: photos have 3")};
  }
  CanvasSpec spec;
  spec.width = preprocess.width;
  spec.height = preprocess.height;
  spec.fit = preprocess.resize == ResizeMode::letterbox ? CanvasFit::letterbox : CanvasFit::stretch;
  spec.align = preprocess.align == PhotoAlign::top_left ? CanvasAlign::top_left : CanvasAlign::center;
  spec.fill = preprocess.fill;
  spec.order = preprocess.order == ColorOrder::bgr ? ChannelOrder::bgr : ChannelOrder::rgb;
  spec.scale = preprocess.scale;
  spec.mean = preprocess.mean;
  spec.std = preprocess.std;
  return spec;
}

Result<CanvasSpec> tile_spec(const CanvasSpec& canvas, const MosaicGrid& grid) {
  if (grid.rows < 1 || grid.cols < 1 || canvas.width % grid.cols != 0 || canvas.height % grid.rows != 0) {
    return Error{Code::invalid_argument, text("mosaic ", grid.rows, "x", grid.cols, " does not divide the input of ",
                                              canvas.width, "x", canvas.height, ": choose another --size or mosaic")};
  }
  CanvasSpec tile = canvas;
  tile.width /= grid.cols;
  tile.height /= grid.rows;
  return tile;
}

Result<boxdecode::Params> decode_params(const Model& model, const CanvasSpec& canvas, const DetectorOptions& options) {
  if (!model.detector || model.detector->heads.empty()) {
    return Error{Code::unsupported, text(model.name, ": the model has no detector heads: ",
                                         model.why_no_detector.empty() ? "use `tessera run`" : model.why_no_detector)};
  }
  auto heads = head_params(*model.detector);
  if (!heads) return Error{heads.error().code, text(model.name, ": ", heads.error().message)};
  boxdecode::Params params = std::move(*heads);
  params.model_input_size = {canvas.width, canvas.height};
  params.original_image_size = params.model_input_size;  // each call brings its photo's own
  params.max_detections = options.max_detections;
  params.detection_threshold = options.threshold;
  params.nms_iou_threshold = options.nms_iou.value_or(default_nms_iou(*model.detector));
  params.nms_class_agnostic = options.class_agnostic;
  params.multi_label = options.multi_label;
  params.mosaic = {options.mosaic.rows, options.mosaic.cols};
  add_box_step(options.box_step, params);
  params.resize = resize_of(canvas);
  return params;
}

namespace {

Result<Model> read_model(const DetectorOptions& options, bool whole_graph, int batch) {
  const auto size = input_size(options);
  if (!size) return size.error();
  const DetectorWords words{options.family, options.heads, whole_graph};
  if (options.in_memory) {
    const ModelInMemory& memory = *options.in_memory;
    return load_model(ModelBytes{.name = std::string(memory.name),
                                 .model = memory.model,
                                 .weights = memory.weights,
                                 .names = memory.names,
                                 .size = *size,
                                 .log = log_sink(options),
                                 .batch = batch,
                                 .detector = words,
                                 .folder = {}});
  }
  return load_model(LoadOptions{.model = options.model,
                                .weights = options.weights,
                                .names = options.names,
                                .size = *size,
                                .log = log_sink(options),
                                .batch = batch,
                                .detector = words});
}

/// What the canvas would have made of the pixels, for as many channels as the picture has.
FromBytesAttrs pixels_of(const Model& model) {
  CanvasSpec spec;
  spec.scale = model.preprocess.scale;
  spec.mean = model.preprocess.mean;
  spec.std = model.preprocess.std;
  const PixelScale by = pixel_scale(spec);
  const auto inputs = std::span(model.graph.inputs);
  const std::int64_t channels = inputs.empty() ? 3 : extents(model.graph.value(inputs.front()).spec).c;
  const auto count = static_cast<std::ptrdiff_t>(std::clamp<std::int64_t>(channels, 1, 3));
  return {{by.scale.begin(), by.scale.begin() + count}, {by.shift.begin(), by.shift.begin() + count}};
}

}  // namespace

Result<Model> load_model(const DetectorOptions& options, bool whole_graph, int batch) {
  auto model = read_model(options, whole_graph, batch);
  if (!model || !options.byte_pixels) return model;
  if (const Status taken = take_bytes(model->graph, pixels_of(*model)); !taken) {
    return Error{taken.error().code, text(model->name, ": ", taken.error().message)};
  }
  return model;
}

}  // namespace tessera
