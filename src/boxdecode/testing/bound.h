#pragma once

#include <algorithm>
#include <vector>

#include "boxdecode/testing/case.h"

namespace tessera::boxdecode::testing {

/// A plan with everything bound, to be executed again and again.
struct Bound {
  Plan plan;
  Workspace workspace;
  Context context;
  std::vector<std::vector<std::byte>> output_bytes;
  std::vector<std::span<std::byte>> outputs;
  std::vector<std::span<const std::byte>> inputs;
  std::vector<ImageSize> sizes;

  explicit Bound(const Case& c)
      : plan(check_inference(c.request()).value()),
        workspace(plan.workspace_bytes()),
        context(Context::create(plan, workspace.span()).value()),
        inputs(c.views()),
        sizes(c.original_sizes) {
    for (std::size_t i = 0; i < c.outputs.size(); ++i) output_bytes.emplace_back(plan.output_bytes(i));
    for (auto& bytes : output_bytes) outputs.emplace_back(bytes);
  }
  Bindings bindings() const { return {inputs, outputs, sizes}; }
  void poison(std::byte value) {
    for (auto& bytes : output_bytes) std::ranges::fill(bytes, value);
    std::ranges::fill(workspace.span(), value);
  }
};

}  // namespace tessera::boxdecode::testing
