#pragma once
// From lifetimes to offsets: one arena for all activations.

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "plan/chains.h"

namespace tessera {

/// Where a value lives: channels [channel, channel + c) of a buffer whose pixels are pixel_stride elements wide.
/// Values of concats and slices share the buffer of the widest one, so they are never copied; neither are reshapes of
/// values without gaps. Constants, and views of them, lie outside the arena.
struct Placement {
  std::int32_t buffer = kNone;  ///< kNone for constants
  ValueId constant = kNone;     ///< the constant_tensor value whose numbers these are
  std::int64_t channel = 0;
  std::int64_t pixel_stride = 0;
  bool alias = false;  ///< the node that "produces" it has nothing to do (constant, slice, in-place concat, ...)
  bool operator==(const Placement&) const = default;
};
struct Buffer {
  std::int64_t bytes = 0;            ///< multiple of 64
  std::int64_t offset = 0;           ///< in the arena, or behind it, multiple of 64
  std::int32_t first = 0, last = 0;  ///< node indices: first write, last read (graph outputs: to the end)
};
struct MemoryPlan {
  std::vector<Placement> placements;  ///< one per graph value
  std::vector<Buffer> buffers;
  /// What they read stays until their last node is done. What they hand on within lies behind the arena: only who runs
  /// them node by node needs memory there.
  std::vector<Chain> chains;
  std::int64_t arena_bytes = 0;
  std::int64_t aside_bytes = 0;        ///< behind the arena
  std::int64_t lower_bound_bytes = 0;  ///< largest sum of the arena's buffers alive at one node
  std::int64_t no_reuse_bytes = 0;     ///< sum of all buffers
};
struct MemoryOptions {
  bool reuse = true;          ///< false: every buffer has its own place (the slow twin)
  bool zero_copy = true;      ///< false: concats, slices and reshapes copy
  bool chains = true;         ///< false: every operator's output is finished before the next begins
  std::int64_t l2_bytes = 0;  ///< of a core; 0: chains do not pay
};

/// No detector comes near; a hostile model would otherwise take the machine's memory.
inline constexpr std::int64_t kMaxArenaBytes = std::int64_t{1} << 34;

/// A pure function of the graph (shapes inferred). Errors: limit_exceeded above kMaxArenaBytes.
Result<MemoryPlan> plan_memory(const Graph& graph, const MemoryOptions& options);
/// Independent of plan_memory: recomputes who is alive when and proves that no two live buffers overlap, that views
/// stay inside their buffers, that nothing is written after its reader needs it. Run on every plan at load.
Status verify_memory(const Graph& graph, const MemoryPlan& plan);

}  // namespace tessera
