#pragma once
// What an Executable holds; contexts read it.

#include "device/device.h"

namespace tessera {

struct Chooser;

/// One node of the run, in order. Without `impl` nothing runs: inputs, slices and concats in place, identities.
struct Step {
  std::unique_ptr<NodeImpl> impl;
  std::size_t tasks = 0;
};

struct Executable::Impl {
  PrepareOptions options;
  Graph graph;
  MemoryPlan memory;
  std::vector<Step> steps;          ///< one per node
  std::vector<NodeChoice> choices;  ///< one per node
  int fallback_nodes = 0;
  std::int64_t weight_bytes = 0;
  std::size_t scratch_bytes = 0;  ///< the most that any node wants, per worker

  /// Fills steps and choices; graph, memory and options are there.
  Status choose_all(const Chooser& chooser, const CpuInfo& cpu);
};

}  // namespace tessera
