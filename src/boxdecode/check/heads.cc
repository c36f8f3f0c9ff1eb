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
  for (std::size_t i = 0; i < p.heads.size(); ++i) {
    const Head& head = p.heads[i];
    if (head.kind != checked.family->kind) {
      return problem_at(i, ErrorCode::HeadKindMismatch, "head", "build it with the factory that the profile needs");
    }
    if (head.coefficients_port != Head::kNone || head.keypoints_port != Head::kNone) {
      return problem_at(i, ErrorCode::HeadKindMismatch, "head",
                        "coefficients belong to Segmentation, keypoints to Pose: this task has neither");
    }
  }
  if (p.basis) return problem(ErrorCode::HeadKindMismatch, "basis", "a basis belongs to Segmentation: leave it unset");
  return {};
}

Problem assign_ports(Checked& checked) {
  const Params& p = checked.params();
  checked.roles.assign(checked.request->inputs.size(), {});
  for (std::size_t i = 0; i < p.heads.size(); ++i) {
    const std::int32_t port = p.heads[i].combined_port;
    if (port < 0 || static_cast<std::size_t>(port) >= checked.roles.size()) {
      return problem_at(i, ErrorCode::PortOutOfRange, "head port", "name one of the inputs, counted from 0", port);
    }
    PortRole& role = checked.roles[static_cast<std::size_t>(port)];
    if (role.head >= 0)
      return problem_at(i, ErrorCode::PortDuplicate, "head port", "another head has this input", port);
    role.head = static_cast<std::int32_t>(i);
    role.channels = checked.grids[i].slots * (std::int64_t{p.num_classes} + 5);
    role.combined = true;
  }
  for (std::size_t port = 0; port < checked.roles.size(); ++port) {
    if (checked.roles[port].head < 0) {
      return problem_at(port, ErrorCode::PortUnmapped, "input", "give it to a head or leave it out");
    }
  }
  return {};
}

}  // namespace

Problem check_heads(Checked& checked) {
  if (auto found = check_count(checked)) return found;
  if (auto found = check_kinds(checked)) return found;
  return assign_ports(checked);
}

}  // namespace tessera::boxdecode
