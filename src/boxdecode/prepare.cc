// check_inference: runs the checks in order, then writes down what execute needs.

#include "base/checked.h"
#include "boxdecode/check/check.h"
#include "boxdecode/numbers.h"
#include "boxdecode/plan.h"
#include "boxdecode/scan/route.h"

namespace tessera::boxdecode {
namespace {

Cutoff cutoff_for(DType dtype, ScoreActivation activation, float threshold, Quant quant) {
  switch (dtype) {
    case DType::BFloat16:
      return find_cutoff<BF16>(activation, threshold, quant);
    case DType::Int8:
      return find_cutoff<S8>(activation, threshold, quant);
    default:
      return find_cutoff<F32>(activation, threshold, quant);
  }
}

HeadPlan prepare_head(const Checked& checked, std::size_t i) {
  const Params& p = checked.params();
  const TensorSpec& spec = checked.request->inputs[static_cast<std::size_t>(p.heads[i].combined_port)];
  const Hwc cells = hwc(spec);
  const DenseStrides strides = dense_strides(spec);
  const RouteInfo& route = *find_route(p.heads[i].kind, spec.dtype, p.multi_label);
  HeadPlan head;
  head.route = route.route;
  head.scan = route.scan;
  head.port = p.heads[i].combined_port;
  head.h = static_cast<std::int32_t>(cells.h);
  head.w = static_cast<std::int32_t>(cells.w);
  head.address = {strides.row, strides.pixel, strides.element};
  head.quant = spec.quant.value_or(Quant{});
  head.activation = checked.activation;
  head.cutoff = cutoff_for(spec.dtype, head.activation, p.detection_threshold, head.quant);
  // Under Sigmoid both factors are <= 1 and rounding is monotone, so each must reach T on its own. Under Identity a
  // factor below T may be lifted by one above 1: nothing may be skipped.
  const bool gated = head.activation == ScoreActivation::Sigmoid;
  if (gated) head.gate = head.cutoff.interval;
  head.reject_all = gated && head.cutoff.reject_all;
  head.stride = static_cast<float>(p.model_input_size.width / head.w);
  head.grid = checked.grids[i];
  return head;
}

std::int64_t slots_per_image(const HeadPlan& head, const Mosaic& mosaic) {
  return std::int64_t{head.h / mosaic.rows} * (head.w / mosaic.cols) * head.grid.slots;
}

Problem prepare_heads(const Checked& checked, PlanData& plan, std::int64_t& slots) {
  slots = 0;  // at most 8 heads * 2^20 cells * 16 slots = 2^27
  for (std::size_t i = 0; i < checked.params().heads.size(); ++i) {
    HeadPlan head = prepare_head(checked, i);
    head.first_slot = static_cast<std::uint32_t>(slots);
    slots += slots_per_image(head, plan.mosaic);
    plan.heads.push_back(head);
  }
  const std::int64_t ordinals = plan.multi_label ? slots * plan.classes : slots;
  if (ordinals <= (std::int64_t{1} << 32)) return {};
  return problem(ErrorCode::SizeOverflow, "slots * classes", "candidates are numbered with 32 bits", ordinals);
}

Problem prepare_buffers(const Checked& checked, PlanData& plan) {
  const Request& request = *checked.request;
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const auto bytes = dense_bytes(request.inputs[i], checked.roles[i].combined);
    if (!bytes) return problem_at(i, ErrorCode::SizeOverflow, "input bytes", "must be at most 2^40");
    plan.inputs.push_back({*bytes, element_size(request.inputs[i].dtype)});
  }
  for (const TensorSpec& spec : request.outputs) {  // at most 64 images * 65,536 rows * 16 bytes
    std::int64_t bytes = element_size(spec.dtype);
    for (const std::int64_t extent : spec.shape) bytes *= extent;
    plan.outputs.push_back({bytes, element_size(spec.dtype)});
  }
  return {};
}

// [newest and count per class][2 * limit places: candidates, later the second half takes the kept ones]
Problem prepare_workspace(const Params& p, std::int64_t slots, PlanData& plan) {
  const std::int64_t most = plan.multi_label ? slots * plan.classes : slots;
  const std::int64_t limit = p.candidate_limit.value_or(p.multi_label ? kDefaultMultiLabelLimit : 0);
  plan.limit = static_cast<std::uint32_t>(limit != 0 && limit < most ? limit : most);
  const std::int64_t per_class = plan.classes * static_cast<std::int64_t>(2 * sizeof(std::uint32_t));
  plan.class_scratch_bytes = (per_class + 63) / 64 * 64;
  plan.workspace_bytes =
      plan.class_scratch_bytes + 2 * std::int64_t{plan.limit} * static_cast<std::int64_t>(sizeof(Candidate));
  if (plan.workspace_bytes <= kMaxBytes) return {};
  return problem(ErrorCode::SizeOverflow, "workspace bytes", "must be at most 2^40", plan.workspace_bytes);
}

Problem choose_scanner(std::string_view wish, PlanData& plan) {
  const CpuInfo cpu = CpuInfo::detect();
  for (const Scanner* scanner : scanners()) {
    if (!wish.empty() && wish != scanner->name) continue;
    if (!cpu.supports(scanner->isa)) continue;
    plan.scanner = scanner;
    return {};
  }
  return problem(ErrorCode::UnsupportedScanner, "scanner", "use \"\" or one that this build and processor have");
}

void copy_params(const Checked& checked, PlanData& plan) {
  const Params& p = checked.params();
  plan.classes = p.num_classes;
  plan.threshold = p.detection_threshold;
  plan.multi_label = p.multi_label;
  plan.rank_rule = p.rank_rule;
  plan.edge_penalty = p.edge_penalty;
  plan.nms.suppress = checked.family->nms_at_zero || p.nms_iou_threshold > 0.0f;
  plan.nms.iou_threshold = p.nms_iou_threshold;
  plan.nms.class_agnostic = p.nms_class_agnostic;
  plan.nms.capacity = static_cast<std::uint32_t>(p.max_detections);
  plan.nms.max_per_class = static_cast<std::uint32_t>(p.max_per_class);
  plan.nms.classes = static_cast<std::uint32_t>(p.num_classes);
  plan.voting = p.voting;
  plan.mosaic = p.mosaic;
  plan.tile = checked.tile();
  plan.original = p.original_image_size;
  plan.resize = p.resize;
  plan.encoding = p.box_encoding;
  plan.box_dtype = checked.request->outputs[0].dtype;
}

Problem check_all(Checked& checked) {
  if (auto found = check_scalars(checked.params())) return found;
  if (auto found = check_profile(checked)) return found;
  if (auto found = check_heads(checked)) return found;
  if (auto found = check_inputs(checked)) return found;
  if (auto found = check_geometry(checked)) return found;
  return check_outputs(checked);
}

Problem prepare_all(const Checked& checked, PlanData& plan) {
  copy_params(checked, plan);
  std::int64_t slots = 0;
  if (auto found = prepare_heads(checked, plan, slots)) return found;
  if (auto found = prepare_buffers(checked, plan)) return found;
  if (auto found = prepare_workspace(checked.params(), slots, plan)) return found;
  return choose_scanner(checked.request->scanner, plan);
}

}  // namespace

Result<Plan> check_inference(const Request& request) {
  Checked checked;
  checked.request = &request;
  if (auto found = check_all(checked)) return tl::make_unexpected(*found);
  auto plan = std::make_shared<PlanData>();
  if (auto found = prepare_all(checked, *plan)) return tl::make_unexpected(*found);
  return Plan(std::move(plan));
}

}  // namespace tessera::boxdecode
