#pragma once
// What an Executable holds; contexts read it.

#include "device/chain_kernel.h"
#include "device/device.h"

namespace tessera {

struct Chooser;
class PackedCache;

/// One node of the run, in order. Without `impl` nothing runs: inputs, slices and concats in place, identities.
struct Step {
  std::unique_ptr<NodeImpl> impl;
  std::size_t tasks = 0;
};

/// What a run does next: a node, or a chain of nodes.
struct Region {
  static constexpr std::size_t kAlone = SIZE_MAX;
  std::size_t node = 0;  ///< the node, or the chain's last
  std::size_t chain = kAlone;
};

struct Executable::Impl {
  PrepareOptions options;
  Graph graph;
  MemoryPlan memory;
  std::vector<Step> steps;                 ///< one per node
  std::vector<NodeChoice> choices;         ///< one per node
  std::vector<Chain> chains;               ///< those of the plan whose kernels all go by rows
  std::vector<ChainKernel> chain_kernels;  ///< one per chain
  std::vector<Region> regions;             ///< all that there is to do, in order
  int fallback_nodes = 0;
  std::int64_t weight_bytes = 0, mapped_weight_bytes = 0;
  std::size_t scratch_bytes = 0;  ///< the most that any node wants, per worker

  /// Fills steps and choices; graph, memory and options are there.
  Status choose_all(const Chooser& chooser, const CpuInfo& cpu);
  /// Packs the node's weights or finds them, and adds to the totals.
  Step make_step(const NodeImplInfo& info, ImplContext context, PackedCache& cache);
  /// Fills chains, chain_kernels and regions; all else is there.
  void join_chains(const CpuInfo& cpu);
};

}  // namespace tessera
