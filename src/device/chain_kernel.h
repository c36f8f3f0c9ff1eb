#pragma once
// A chain of nodes run together: a band of the last one's rows at a time, for which each node computes the rows that
// the next one lacks. What lies between two nodes is a window of rows in the worker's scratch, small enough for L2.

#include <vector>

#include "device/node_impl.h"
#include "plan/memory_plan.h"

namespace tessera {

/// How a node's output rows and its own lie to its input's.
struct ChainRows {
  std::int64_t images = 1;
  std::int64_t h = 1, w = 1, c = 1, pixel_stride = 1;  ///< of the output
  std::int64_t stride = 1, pad = 0, span = 1;          ///< row y sees input rows [y * stride - pad, ... + span)
};
/// `node` is a convolution, or from_bytes, whose rows see the same rows.
ChainRows chain_rows(const Graph& graph, const Node& node, const MemoryPlan& memory);

struct ChainNode {
  const NodeImpl* impl;  ///< by_rows(); outlives the chain
  ChainRows rows;
};

/// Immutable. Bits are those of the nodes run one after the other, however many tasks there are.
class ChainKernel {
 public:
  /// At most Chain::kMostNodes.
  ChainKernel(std::vector<ChainNode> nodes, std::int64_t l2_bytes, int threads);

  std::size_t tasks() const noexcept { return static_cast<std::size_t>(images_ * ranges_); }
  std::size_t scratch_bytes() const noexcept { return static_cast<std::size_t>(scratch_bytes_); }
  /// args: per node, as for NodeImpl::run; of what is handed from node to node only the shapes matter.
  void run(std::size_t task, std::span<const NodeArgs> args, std::byte* scratch) const noexcept;

 private:
  /// Between a node and the next.
  struct Window {
    std::int64_t rows = 0;    // that fit
    std::int64_t offset = 0;  // bytes into the scratch
  };
  struct Run;
  void choose_band(std::int64_t l2_bytes);
  std::int64_t window_bytes(std::int64_t band);
  void choose_ranges(int threads);

  std::vector<ChainNode> nodes_;
  std::vector<Window> windows_;  // one less than nodes
  std::int64_t images_ = 1, band_ = 1, ranges_ = 1, scratch_bytes_ = 0;
};

}  // namespace tessera
