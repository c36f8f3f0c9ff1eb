// Context and execute: image after image, scan -> select -> vote -> map -> write. Nothing here can fail once the
// bindings are accepted, and nothing allocates.

#include <atomic>

#include "boxdecode/bindings.h"
#include "boxdecode/check/check.h"
#include "boxdecode/emit.h"
#include "boxdecode/scan/route.h"
#include "boxdecode/select/voting.h"
#include "boxdecode/tasks/tasks.h"

namespace tessera::boxdecode {

struct Context::State {
  std::shared_ptr<const PlanData> plan;
  std::span<std::byte> workspace;
  std::atomic_flag busy;
};

namespace {

/// The caller's workspace, cut to measure. Contents are written before they are read in every image.
struct Scratch {
  Candidate* candidates;
  CellScratch cells;
  NmsScratch nms;
};

Scratch cut(const PlanData& plan, std::span<std::byte> workspace) noexcept {
  auto* newest = reinterpret_cast<std::uint32_t*>(workspace.data());
  auto* keys = reinterpret_cast<std::uint16_t*>(workspace.data() + plan.class_scratch_bytes);
  std::byte* rest = workspace.data() + plan.class_scratch_bytes + plan.cell_scratch_bytes;
  auto* candidates = reinterpret_cast<Candidate*>(rest);
  auto* kept = reinterpret_cast<Kept*>(rest + std::size_t{plan.limit} * sizeof(Candidate));
  return {candidates, {keys, keys + plan.scratch_cells}, {kept, newest, newest + plan.classes}};
}

Window window_of(const HeadPlan& head, const Mosaic& mosaic, std::int32_t image) noexcept {
  const std::int32_t h = head.h / mosaic.rows, w = head.w / mosaic.cols;
  return {image / mosaic.cols * h, image % mosaic.cols * w, h, w};
}

RankRules rank_rules(const PlanData& plan, std::int32_t image) noexcept {
  RankRules rules;
  rules.rule = plan.rank_rule;
  if (!plan.edge_penalty) return rules;
  const std::int32_t row = image / plan.mosaic.cols, col = image % plan.mosaic.cols;
  const float margin = plan.edge_penalty->margin;
  rules.edge = {.left = col > 0,
                .top = row > 0,
                .right = col + 1 < plan.mosaic.cols,
                .bottom = row + 1 < plan.mosaic.rows,
                .margin = margin,
                .right_from = static_cast<float>(plan.tile.width) - margin,
                .bottom_from = static_cast<float>(plan.tile.height) - margin,
                .factor = plan.edge_penalty->factor};
  return rules;
}

void run_image(const PlanData& plan, std::int32_t image, const Scratch& scratch, const Bindings& bindings,
               ExecStats& stats) noexcept {
  CandidateStore store(scratch.candidates, plan.limit);
  const RankRules rank = rank_rules(plan, image);
  for (const HeadPlan& head : plan.heads) {
    head.scan({plan, head, bindings.inputs, window_of(head, plan.mosaic, image), rank, scratch.cells, store});
  }
  SelectionOrder order(scratch.candidates, store.finish());
  const std::span kept(scratch.nms.kept, select(order, plan.nms, scratch.nms));
  if (plan.voting) vote(order, kept, plan.voting->iou);
  const ImageSize original =
      bindings.original_sizes.empty() ? plan.original : bindings.original_sizes[static_cast<std::size_t>(image)];
  const Mapping mapping = make_mapping(plan.resize, plan.tile, original);
  emit(plan, image, mapping, kept, scratch.candidates, bindings.outputs);
  if (plan.task.task == Task::Pose) emit_keypoints(plan, mapping, kept, scratch.candidates, bindings);
  if (plan.task.task == Task::Segmentation) emit_masks(plan, kept, scratch.candidates, bindings);
  stats.candidates_seen += store.seen();
  stats.candidates_kept += order.count();
  stats.candidate_limit_hit = stats.candidate_limit_hit || store.limit_hit();
}

/// Gives the context back when the execution ends.
class Busy {
 public:
  explicit Busy(std::atomic_flag& flag) noexcept : flag_(flag) {}
  ~Busy() { flag_.clear(std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace

Context::Context(std::unique_ptr<State> state) : state_(std::move(state)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Result<Context> Context::create(const Plan& plan, std::span<std::byte> workspace) {
  const auto need = static_cast<std::int64_t>(plan.workspace_bytes());
  const auto got = static_cast<std::int64_t>(workspace.size());
  if (workspace.data() == nullptr || got < need) {
    return problem(ErrorCode::WorkspaceTooSmall, "workspace", "bytes as the plan reports them", got, need);
  }
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % kWorkspaceAlignment != 0) {
    return problem(ErrorCode::WorkspaceMisaligned, "workspace", "align it to 64 bytes");
  }
  auto state = std::make_unique<State>();
  state->plan = plan.data();
  state->workspace = workspace.first(plan.workspace_bytes());
  return Context(std::move(state));
}

Status execute(Context& context, const Bindings& bindings, ExecStats* stats) noexcept {
  Context::State& state = context.state();
  if (state.busy.test_and_set(std::memory_order_acquire)) {
    return problem(ErrorCode::ContextBusy, "context", "one execution at a time: use one context per thread");
  }
  const Busy busy(state.busy);
  const PlanData& plan = *state.plan;
  if (auto found = check_bindings(plan, state.workspace, bindings)) return *found;
  ExecStats sum;
  const Scratch scratch = cut(plan, state.workspace);
  for (std::int32_t image = 0; image < plan.images(); ++image) run_image(plan, image, scratch, bindings, sum);
  if (stats != nullptr) *stats = sum;
  return {};
}

}  // namespace tessera::boxdecode
