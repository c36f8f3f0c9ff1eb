#include "boxdecode/testing/c_case.h"

namespace tessera::boxdecode::testing {
namespace {

tessera_bd_image_size c_size(ImageSize size) { return {size.width, size.height}; }

tessera_bd_head c_head(const Head& head) {
  return {static_cast<std::int32_t>(head.kind),
          head.combined_port,
          head.box_port,
          head.score_port,
          head.extra_input,
          head.coefficients_port,
          head.keypoints_port,
          0};
}

tessera_bd_anchor_level c_level(const AnchorLevel& level) {
  tessera_bd_anchor_level out{};
  out.formula = static_cast<std::int32_t>(level.formula);
  out.scale = level.scale;
  out.offset = level.offset;
  out.anchor_count = static_cast<std::int32_t>(level.anchors.size());
  for (std::size_t i = 0; i < level.anchors.size(); ++i) {
    out.anchors[i][0] = level.anchors[i][0];
    out.anchors[i][1] = level.anchors[i][1];
  }
  return out;
}

}  // namespace

tessera_bd_tensor c_tensor(const TensorSpec& spec) {
  tessera_bd_tensor out{};
  out.dtype = static_cast<std::int32_t>(spec.dtype);
  out.layout = static_cast<std::int32_t>(spec.layout.index());
  out.rank = spec.shape.rank();
  for (int axis = 0; axis < spec.shape.rank() && axis < 6; ++axis) out.shape[axis] = spec.shape[axis];
  if (const auto* strided = std::get_if<Strided>(&spec.layout)) {
    for (int axis = 0; axis < strided->byte_strides.rank() && axis < 6; ++axis) {
      out.byte_strides[axis] = strided->byte_strides[axis];
    }
  }
  if (const auto* blocked = std::get_if<MlaCBlocked>(&spec.layout)) {
    out.tile_h = blocked->tile_h;
    out.tile_w = blocked->tile_w;
    out.tile_c = blocked->tile_c;
  }
  out.has_quant = spec.quant ? 1 : 0;
  if (spec.quant) out.scale = spec.quant->scale, out.zero_point = spec.quant->zero_point;
  return out;
}

tessera_bd_params c_params(const Params& p) {
  tessera_bd_params out;
  std::memset(&out, 0, sizeof out);
  out.struct_size = sizeof out;
  out.profile = static_cast<std::int32_t>(p.profile);
  out.task = static_cast<std::int32_t>(p.task);
  out.basis = p.basis.value_or(-1);
  out.model_input_size = c_size(p.model_input_size);
  out.original_image_size = c_size(p.original_image_size);
  out.num_classes = p.num_classes;
  out.score_activation = p.score_activation ? static_cast<std::int32_t>(*p.score_activation) + 1 : 0;
  out.max_detections = p.max_detections;
  out.detection_threshold = p.detection_threshold;
  out.nms_iou_threshold = p.nms_iou_threshold;
  out.nms_class_agnostic = p.nms_class_agnostic;
  out.multi_label = p.multi_label;
  out.candidate_limit = p.candidate_limit.value_or(-1);
  out.max_per_class = p.max_per_class;
  out.box_encoding = static_cast<std::int32_t>(p.box_encoding);
  out.resize = static_cast<std::int32_t>(p.resize.mode);
  out.letterbox_anchor = static_cast<std::int32_t>(p.resize.anchor);
  out.scaled = c_size(p.resize.scaled);
  out.pad_left = p.resize.pad_left;
  out.pad_top = p.resize.pad_top;
  out.rank_rule = static_cast<std::int32_t>(p.rank_rule);
  out.voting = p.voting.has_value();
  out.voting_iou = p.voting.value_or(Voting{}).iou;
  out.mosaic_rows = p.mosaic.rows;
  out.mosaic_cols = p.mosaic.cols;
  out.edge_penalty = p.edge_penalty.has_value();
  out.edge_factor = p.edge_penalty.value_or(EdgePenalty{}).factor;
  out.edge_margin = p.edge_penalty.value_or(EdgePenalty{}).margin;
  out.keypoint_count = p.keypoint_count;
  out.keypoint_dims = p.keypoint_dims;
  out.accept_float32 = p.accept_float32;
  return out;
}

CCase::CCase(const Case& c) : scanner(c.scanner), params(c_params(c.params)) {
  for (const TensorSpec& spec : c.inputs) inputs.push_back(c_tensor(spec));
  for (const TensorSpec& spec : c.outputs) outputs.push_back(c_tensor(spec));
  for (const Head& head : c.params.heads) heads.push_back(c_head(head));
  for (const AnchorLevel& level : c.params.anchor_grid) levels.push_back(c_level(level));
  params.heads = heads.data();
  params.head_count = static_cast<std::int32_t>(heads.size());
  params.anchor_grid = levels.data();
  params.anchor_level_count = static_cast<std::int32_t>(levels.size());
  params.scanner = scanner.c_str();
}

CBuffers::CBuffers(const Case& c, const tessera_bd_plan* plan) {
  for (const auto& input : c.bytes) inputs.push_back({input.data(), input.size()});
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    auto& output = bytes.emplace_back(tessera_bd_output_bytes(plan, i), std::byte{0xA5});
    outputs.push_back({output.data(), output.size()});
  }
  for (const ImageSize size : c.original_sizes) sizes.push_back(c_size(size));
}

COutcome run_in_c(const Case& c) {
  COutcome out;
  const CCase in_c(c);
  tessera_bd_plan* plan = nullptr;
  if (in_c.prepare(&plan, &out.error) != TESSERA_BD_OK) return out;
  Workspace workspace(tessera_bd_workspace_bytes(plan), std::byte{0xA5});
  const auto span = workspace.span();
  tessera_bd_context* context = nullptr;
  if (tessera_bd_context_create(plan, span.data(), span.size(), &context, &out.error) == TESSERA_BD_OK) {
    CBuffers buffers(c, plan);
    if (buffers.execute(context, &out.error) == TESSERA_BD_OK) {
      out.outcome.outputs = std::move(buffers.bytes);
      out.outcome.stats = {buffers.stats.candidates_seen, buffers.stats.candidates_kept,
                           buffers.stats.candidate_limit_hit != 0};
    }
  }
  for (std::size_t head = 0; head < tessera_bd_head_count(plan); ++head) {
    out.routes.emplace_back(tessera_bd_route(plan, head));
    out.cutoffs.push_back(tessera_bd_plan_cutoffs(plan, head));
  }
  tessera_bd_context_free(context);
  tessera_bd_plan_free(plan);
  return out;
}

std::string message_of(const tessera_bd_error& error) {
  std::string line(tessera_bd_error_message(&error, nullptr, 0), '\0');
  tessera_bd_error_message(&error, line.data(), line.size() + 1);
  return line;
}

}  // namespace tessera::boxdecode::testing
