#pragma once
// The least time a node can take on this machine: its arithmetic at the peak rate, or its bytes at the speed of the
// cache level that could hold them, whichever is longer.

#include <string>
#include <string_view>

#include "bench/machine.h"
#include "graph/graph.h"
#include "plan/memory_plan.h"

namespace tessera::cli {

/// What a node must compute and move, each byte once.
struct Work {
  double flops = 0;  ///< two per multiply-accumulate; other operators' arithmetic is not counted
  double bytes = 0;  ///< inputs, weights and output; not what concat finds in its place already
};
/// `impl` names the chosen kernel: Winograd's make 36 (F(4x4, 3x3)), 64 (F(2x2, 3x3)) or 81 (stride 2) products where
/// 144 are counted. Weights count as the model has them, though a kernel may read them transformed, up to four times as
/// many.
Work work_of(const Graph& graph, const MemoryPlan& memory, const Node& node, std::string_view impl);

struct Bound {
  double compute_ms = 0, memory_ms = 0;
  std::string level;  ///< whose speed memory_ms is: "L2", "L3", "memory"

  double ms() const { return compute_ms > memory_ms ? compute_ms : memory_ms; }
  std::string limit() const { return compute_ms > memory_ms ? "compute" : level; }
};
Bound bound_of(const Work& work, const Machine& machine);

}  // namespace tessera::cli
