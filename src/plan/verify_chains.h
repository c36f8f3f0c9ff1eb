#pragma once
// What verify_memory asks of a plan's chains.

#include "plan/memory_plan.h"

namespace tessera {

/// Nodes one after another, each reading what the one before writes and nobody else reads; only such values lie behind
/// the arena. Every value has a placement.
Status verify_chains(const Graph& graph, const MemoryPlan& plan);

}  // namespace tessera
