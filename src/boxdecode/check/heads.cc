#include "boxdecode/check/check.h"

namespace tessera::boxdecode {
namespace {

Problem check_count(const Checked& checked) {
  const Params& p = checked.params();
  const auto heads = static_cast<std::int64_t>(p.heads.size());
  const Family& family = *checked.family;
  if (heads < family.min_heads || heads > family.max_heads) {
    return problem(ErrorCode::InvalidHeadCount, "heads", "the profile wants another number of heads", heads,
                   family.min_heads == family.max_heads ? family.min_heads : Error::kNoValue);
  }
  if (family.profile == Profile::AnchorGridV1 && p.anchor_grid.size() != p.heads.size()) {
    return problem(ErrorCode::InvalidHeadCount, "anchor_grid", "give one entry per head",
                   static_cast<std::int64_t>(p.anchor_grid.size()), heads);
  }
  return {};
}

Problem check_kinds(const Checked& checked) {
  const Params& p = checked.params();
  const bool masks = p.task == Task::Segmentation, pose = p.task == Task::Pose;
  for (std::size_t i = 0; i < p.heads.size(); ++i) {
    const Head& head = p.heads[i];
    const auto fail = [i](const char* wish) { return problem_at(i, ErrorCode::HeadKindMismatch, "head", wish); };
    if (head.kind != checked.family->kind) return fail("build it with the factory that the profile needs");
    if ((head.coefficients_port != Head::kNone) != masks) {
      return fail(masks ? "Segmentation needs coefficients on every head" : "coefficients belong to Segmentation");
    }
    if ((head.keypoints_port != Head::kNone) != pose) {
      return fail(pose ? "Pose needs keypoints on every head" : "keypoints belong to Pose");
    }
  }
  if (p.basis.has_value() != masks) {
    return problem(ErrorCode::HeadKindMismatch, "basis",
                   masks ? "Segmentation needs a basis" : "a basis belongs to Segmentation: leave it unset");
  }
  return {};
}

/// Gives ports to roles, one head after the other.
class Assignment {
 public:
  explicit Assignment(Checked& checked) : checked_(checked) {
    checked_.roles.assign(checked_.request->inputs.size(), {});
  }

  Problem head(std::size_t i) {
    const Params& p = checked_.params();
    const Head& head = p.heads[i];
    const std::int64_t classes = p.num_classes;
    const bool combined = head.kind == Head::Kind::Combined;
    const std::int64_t slots = combined ? checked_.grids[i].slots : 1;
    if (combined) {
      if (auto found = take(head.combined_port, i, {Role::Combined, 0, slots * (classes + 5)})) return found;
    } else {
      if (auto found = take(head.box_port, i, box_role())) return found;
      if (head.kind == Head::Kind::Objectness) {
        if (auto found = take(head.extra_input, i, {Role::Objectness, 0, 1})) return found;
      }
      if (auto found = take(head.score_port, i, {Role::Score, 0, classes})) return found;
    }
    if (p.task == Task::Segmentation)
      return take(head.coefficients_port, i, {Role::Coefficients, 0, slots * basis_channels()});
    if (p.task != Task::Pose) return {};
    return take(head.keypoints_port, i, {Role::Keypoints, 0, std::int64_t{p.keypoint_count} * p.keypoint_dims});
  }
  Problem basis() {
    const Params& p = checked_.params();
    return p.basis ? take(*p.basis, 0, {Role::Basis}) : Problem{};
  }
  Problem rest() const {
    for (std::size_t port = 0; port < checked_.roles.size(); ++port) {
      if (checked_.roles[port].role == Role::None) {
        return problem_at(port, ErrorCode::PortUnmapped, "input", "give it to a head or leave it out");
      }
    }
    return {};
  }

 private:
  PortRole box_role() const {
    switch (checked_.family->box) {
      case BoxChannels::Dfl16:
        return {Role::Box, 0, 64};
      case BoxChannels::FourOrDfl17:
        return {Role::Box, 0, 4, 68};
      default:
        return {Role::Box, 0, 4};
    }
  }
  // 0 while the basis itself is out of order: its own check tells.
  std::int64_t basis_channels() const {
    const auto port = static_cast<std::size_t>(*checked_.params().basis);
    if (port >= checked_.roles.size()) return 0;
    const TensorSpec& spec = checked_.request->inputs[port];
    if (spec.shape.rank() < 3 || spec.shape.rank() > 6) return 0;
    const std::int64_t c = hwc(spec).c;
    return c < 1 || c > 256 ? 0 : c;
  }
  Problem take(std::int32_t port, std::size_t i, PortRole role) {
    if (port < 0 || static_cast<std::size_t>(port) >= checked_.roles.size()) {
      return problem_at(i, ErrorCode::PortOutOfRange, "head port", "name one of the inputs, counted from 0", port);
    }
    PortRole& place = checked_.roles[static_cast<std::size_t>(port)];
    if (place.role != Role::None)
      return problem_at(i, ErrorCode::PortDuplicate, "head port", "another role has this input", port);
    place = role;
    place.head = static_cast<std::int32_t>(i);
    return {};
  }

  Checked& checked_;
};

Problem assign_ports(Checked& checked) {
  Assignment assignment(checked);
  for (std::size_t i = 0; i < checked.params().heads.size(); ++i) {
    if (auto found = assignment.head(i)) return found;
  }
  if (auto found = assignment.basis()) return found;
  return assignment.rest();
}

}  // namespace

Problem check_heads(Checked& checked) {
  if (auto found = check_count(checked)) return found;
  if (auto found = check_kinds(checked)) return found;
  return assign_ports(checked);
}

}  // namespace tessera::boxdecode
