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

InputPlan prepare_input(const Checked& checked, std::int32_t port) {
  const TensorSpec& spec = checked.request->inputs[static_cast<std::size_t>(port)];
  InputPlan input;
  input.port = port;
  input.dtype = spec.dtype;
  input.quant = spec.quant.value_or(Quant{});
  input.channels = hwc(spec).c;
  input.blocked = std::holds_alternative<MlaCBlocked>(spec.layout);
  if (input.blocked) {
    input.tiles = blocked_address(spec);
  } else {
    const DenseStrides strides = dense_strides(spec);
    input.dense = {strides.row, strides.pixel, strides.element};
  }
  return input;
}

void prepare_inputs(const Checked& checked, const Head& from, HeadPlan& head) {
  head.score = prepare_input(checked, static_cast<std::int32_t>(main_port(from)));
  if (from.kind != Head::Kind::Combined) head.box = prepare_input(checked, from.box_port);
  if (from.kind == Head::Kind::Objectness) head.objectness = prepare_input(checked, from.extra_input);
  if (from.coefficients_port != Head::kNone) head.coefficients = prepare_input(checked, from.coefficients_port);
  if (from.keypoints_port != Head::kNone) head.keypoints = prepare_input(checked, from.keypoints_port);
}

// Under Sigmoid both factors of a product are <= 1 and rounding is monotone, so each must reach T on its own. Under
// Identity a factor below T may be lifted by one above 1: nothing may be skipped. A score without objectness is no
// product: its cutoff is the final check itself.
void prepare_gates(const Checked& checked, Head::Kind kind, HeadPlan& head) {
  const float threshold = checked.params().detection_threshold;
  const InputPlan& objectness = kind == Head::Kind::Objectness ? head.objectness : head.score;
  head.cutoff = cutoff_for(head.score.dtype, head.activation, threshold, head.score.quant);
  head.objectness_cutoff = cutoff_for(objectness.dtype, head.activation, threshold, objectness.quant);
  if (kind == Head::Kind::Pair) head.objectness_cutoff = {};
  if (kind != Head::Kind::Pair && head.activation == ScoreActivation::Identity) return;
  head.gate = head.cutoff.interval;
  head.least_key = head.cutoff.key;
  head.objectness_gate = head.objectness_cutoff.interval;
  head.reject_all = head.cutoff.reject_all || head.objectness_cutoff.reject_all;
}

void prepare_box_rule(const Checked& checked, std::size_t i, HeadPlan& head) {
  const Params& p = checked.params();
  head.grid.slots = 1;
  if (checked.family->kind == Head::Kind::Combined) {
    head.grid = checked.grids[i];
    head.slot_channels = p.num_classes + 5;
  } else if (checked.family->kind == Head::Kind::Objectness) {
    head.box_rule = BoxRule::Centre;
  } else {
    head.bins = static_cast<int>(head.box.channels / 4);
    head.box_rule = head.bins == 1 ? BoxRule::Distances : BoxRule::Dfl;
  }
}

HeadPlan prepare_head(const Checked& checked, std::size_t i, bool& cell_scratch) {
  const Params& p = checked.params();
  const Head& from = p.heads[i];
  const Hwc cells = hwc(checked.request->inputs[main_port(from)]);
  HeadPlan head;
  prepare_inputs(checked, from, head);
  head.h = static_cast<std::int32_t>(cells.h);
  head.w = static_cast<std::int32_t>(cells.w);
  head.stride = static_cast<float>(p.model_input_size.width / head.w);
  head.activation = checked.activation;
  prepare_gates(checked, from.kind, head);
  prepare_box_rule(checked, i, head);
  const ChosenRoute chosen = choose_route(head, from.kind, p.multi_label);
  head.route = chosen.route;
  head.scan = chosen.scan;
  cell_scratch = chosen.cell_scratch;
  return head;
}

std::int64_t cells_per_image(const HeadPlan& head, const Mosaic& mosaic) {
  return std::int64_t{head.h / mosaic.rows} * (head.w / mosaic.cols);
}

Problem prepare_heads(const Checked& checked, PlanData& plan, std::int64_t& slots) {
  slots = 0;  // at most 8 heads * 2^20 cells * 16 slots = 2^27
  std::int64_t scratch_cells = 0;
  for (std::size_t i = 0; i < checked.params().heads.size(); ++i) {
    bool cell_scratch = false;
    HeadPlan head = prepare_head(checked, i, cell_scratch);
    const std::int64_t cells = cells_per_image(head, plan.mosaic);
    head.first_slot = static_cast<std::uint32_t>(slots);
    slots += cells * head.grid.slots;
    if (cell_scratch) scratch_cells = std::max(scratch_cells, cells);
    plan.heads.push_back(head);
  }
  plan.scratch_cells = scratch_cells;
  const std::int64_t ordinals = plan.multi_label ? slots * plan.classes : slots;
  if (ordinals <= (std::int64_t{1} << 32)) return {};
  return problem(ErrorCode::SizeOverflow, "slots * classes", "candidates are numbered with 32 bits", ordinals);
}

void prepare_task(const Checked& checked, PlanData& plan) {
  const Params& p = checked.params();
  TaskPlan& task = plan.task;
  task.task = p.task;
  task.keypoint_count = p.keypoint_count;
  task.keypoint_dims = p.keypoint_dims;
  task.keypoints_from_centre = p.profile == Profile::Yolo26RawLtrb;
  task.model = p.model_input_size;
  if (!p.basis) return;
  const Hwc basis = hwc(checked.request->inputs[static_cast<std::size_t>(*p.basis)]);
  task.basis = prepare_input(checked, *p.basis);
  task.basis_h = static_cast<std::int32_t>(basis.h);
  task.basis_w = static_cast<std::int32_t>(basis.w);
}

Problem prepare_buffers(const Checked& checked, PlanData& plan) {
  const Request& request = *checked.request;
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const TensorSpec& spec = request.inputs[i];
    const auto bytes = input_bytes(spec, checked.roles[i].role == Role::Combined);
    if (!bytes) return problem_at(i, ErrorCode::SizeOverflow, "input bytes", "must be at most 2^40");
    const bool blocked = std::holds_alternative<MlaCBlocked>(spec.layout);
    plan.inputs.push_back({*bytes, blocked ? kLanes : element_size(spec.dtype)});
  }
  for (const TensorSpec& spec : request.outputs) {  // at most 65,536 rows * 2^20 mask pixels
    std::int64_t bytes = element_size(spec.dtype);
    for (const std::int64_t extent : spec.shape) bytes *= extent;
    plan.outputs.push_back({bytes, element_size(spec.dtype)});
  }
  return {};
}

std::int64_t whole_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

// [newest and count per class][key and class per cell of the largest head that needs them]
// [2 * limit places: candidates, later the second half takes the kept ones]
Problem prepare_workspace(const Params& p, std::int64_t slots, PlanData& plan) {
  const std::int64_t most = plan.multi_label ? slots * plan.classes : slots;
  const std::int64_t limit = p.candidate_limit.value_or(p.multi_label ? kDefaultMultiLabelLimit : 0);
  plan.limit = static_cast<std::uint32_t>(limit != 0 && limit < most ? limit : most);
  plan.class_scratch_bytes = whole_lines(plan.classes * static_cast<std::int64_t>(2 * sizeof(std::uint32_t)));
  plan.cell_scratch_bytes = whole_lines(plan.scratch_cells * static_cast<std::int64_t>(2 * sizeof(std::uint16_t)));
  plan.workspace_bytes = plan.class_scratch_bytes + plan.cell_scratch_bytes +
                         2 * std::int64_t{plan.limit} * static_cast<std::int64_t>(sizeof(Candidate));
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
  prepare_task(checked, plan);
  if (auto found = prepare_buffers(checked, plan)) return found;
  if (auto found = prepare_workspace(checked.params(), slots, plan)) return found;
  return choose_scanner(checked.request->scanner, plan);
}

}  // namespace

Result<Plan> check_inference(const Request& request) {
  Checked checked;
  checked.request = &request;
  if (auto found = check_all(checked)) return *found;
  auto plan = std::make_shared<PlanData>();
  if (auto found = prepare_all(checked, *plan)) return *found;
  return Plan(std::move(plan));
}

}  // namespace tessera::boxdecode
