#include <cmath>

#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

using Formula = AnchorLevel::Formula;

AnchorGrid from_fixed(const FixedLevel& level) {
  AnchorGrid grid{level.formula, false, level.scale, level.offset, 3, {}};
  for (int slot = 0; slot < 3; ++slot) {
    grid.anchors[slot][0] = level.anchors[slot][0];
    grid.anchors[slot][1] = level.anchors[slot][1];
  }
  return grid;
}

bool positive(float v) { return v > 0.0f && std::isfinite(v); }

Problem check_level(const AnchorLevel& level, std::size_t i, AnchorGrid& grid) {
  const auto fail = [i](const char* field, const char* wish, std::int64_t got = Error::kNoValue) {
    return problem_at(i, ErrorCode::InvalidAnchorGrid, field, wish, got);
  };
  if (level.formula != Formula::Exp && level.formula != Formula::Square) {
    return fail("anchor_grid formula", "use Exp or Square");
  }
  const bool square = level.formula == Formula::Square;
  if (square ? level.scale != 2.0f : !positive(level.scale)) {
    return fail("anchor_grid scale", square ? "Square is defined with scale 2" : "must be finite and > 0");
  }
  if (square ? level.offset != 0.5f : !std::isfinite(level.offset)) {
    return fail("anchor_grid offset", square ? "Square is defined with offset 0.5" : "must be finite");
  }
  const std::size_t slots = level.anchors.size();
  if (slots < 1 || slots > AnchorGrid::kMaxSlots) {
    return fail("anchor_grid anchors", "give 1...16 pairs (width, height)", static_cast<std::int64_t>(slots));
  }
  grid = {level.formula, false, level.scale, level.offset, static_cast<int>(slots), {}};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t side = 0; side < 2; ++side) {
      const float extent = level.anchors[slot][side];
      if (!positive(extent)) return fail("anchor_grid anchors", "each side must be finite and > 0");
      grid.anchors[slot][side] = extent;
    }
  }
  return {};
}

Problem resolve_grids(Checked& checked) {
  const Params& p = checked.params();
  if (checked.family->profile != Profile::AnchorGridV1) {
    if (!p.anchor_grid.empty()) {
      return problem(ErrorCode::InvalidAnchorGrid, "anchor_grid",
                     "only AnchorGridV1 takes one; other profiles fix theirs",
                     static_cast<std::int64_t>(p.anchor_grid.size()), 0);
    }
    for (const FixedLevel& level : checked.family->levels) checked.grids.push_back(from_fixed(level));
    return {};
  }
  for (std::size_t i = 0; i < p.anchor_grid.size(); ++i) {
    AnchorGrid grid;
    if (auto found = check_level(p.anchor_grid[i], i, grid)) return found;
    checked.grids.push_back(grid);
  }
  return {};
}

// Combined families are Sigmoid by definition; only Square levels of an anchor grid may come already activated.
Problem resolve_activation(Checked& checked) {
  const Params& p = checked.params();
  const bool known = p.score_activation == ScoreActivation::Sigmoid || p.score_activation == ScoreActivation::Identity;
  if (p.score_activation && !known) {
    return problem(ErrorCode::ActivationMissing, "score_activation", "set Sigmoid or Identity",
                   static_cast<std::int64_t>(*p.score_activation));
  }
  if (checked.family->kind != Head::Kind::Combined) {
    if (!p.score_activation) {
      return problem(ErrorCode::ActivationMissing, "score_activation",
                     "set Sigmoid for raw logits, Identity for scores that are activated already");
    }
    checked.activation = *p.score_activation;
    return {};
  }
  checked.activation = p.score_activation.value_or(ScoreActivation::Sigmoid);
  if (checked.activation == ScoreActivation::Sigmoid) return {};
  bool all_square = checked.family->profile == Profile::AnchorGridV1;
  for (AnchorGrid& grid : checked.grids) {
    all_square = all_square && grid.formula == Formula::Square;
    grid.activated = true;
  }
  if (all_square) return {};
  return problem(ErrorCode::ActivationConflict, "score_activation",
                 "this profile derives Sigmoid; Identity is for AnchorGridV1 with Square levels only");
}

unsigned bit_of(Task task) {
  return task == Task::Pose ? kPose : (task == Task::Segmentation ? kSegmentation : kDetection);
}

Problem check_task(const Checked& checked) {
  const Params& p = checked.params();
  const bool known = p.task == Task::Detection || p.task == Task::Pose || p.task == Task::Segmentation;
  if (!known || (checked.family->tasks & bit_of(p.task)) == 0) {
    return problem(ErrorCode::UnsupportedTask, "task", "this profile does not have that task");
  }
  if (p.task != Task::Detection && p.mosaic.rows * p.mosaic.cols > 1) {
    return problem(ErrorCode::UnsupportedTask, "mosaic", "a mosaic is for Detection only");
  }
  const bool nms_runs = checked.family->nms_at_zero || p.nms_iou_threshold > 0.0f;
  if (p.voting && !nms_runs) {
    return problem(ErrorCode::InvalidBoxStep, "voting",
                   "this profile skips NMS at nms_iou_threshold 0, so nothing votes: leave it unset");
  }
  return {};
}

}  // namespace

Problem check_profile(Checked& checked) {
  const Params& p = checked.params();
  checked.family = find_family(p.profile);
  if (checked.family == nullptr)
    return problem(ErrorCode::UnsupportedProfile, "profile", "set it to a profile of the table");
  if (auto found = check_task(checked)) return found;
  if (auto found = resolve_grids(checked)) return found;
  return resolve_activation(checked);
}

}  // namespace tessera::boxdecode
