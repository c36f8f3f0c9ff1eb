#pragma once
// Offsets in one arena for buffers with lifetimes.

#include <span>

#include "plan/memory_plan.h"

namespace tessera {

/// Sets every offset so that buffers alive at one node do not overlap; returns the arena's bytes. Bytes and offsets
/// stay multiples of 64. Greedy, best fit: buffers in a fixed order, each into the smallest gap that the buffers alive
/// with it leave. Three orders are tried (size, span of life, first use), the smallest arena is kept: the problem is
/// NP-complete, these reach the lower bound on the networks we know.
std::int64_t assign_offsets(std::span<Buffer> buffers);
/// One after another.
std::int64_t assign_offsets_without_reuse(std::span<Buffer> buffers);
/// The largest sum of bytes alive at one node: no arena can be smaller.
std::int64_t largest_live_sum(std::span<const Buffer> buffers);

}  // namespace tessera
