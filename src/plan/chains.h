#pragma once
// Which consecutive operators are computed together, some rows at a time, so that what one hands to the next stays in a
// cache.

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "plan/views.h"

namespace tessera {

/// Nodes in order; each but the last hands its whole output to the next, which alone reads it.
struct Chain {
  static constexpr std::size_t kMostNodes = 12;
  std::vector<std::int32_t> nodes;  ///< 2 .. kMostNodes
  bool operator==(const Chain&) const = default;
};

/// Chains of convolutions, perhaps with from_bytes before them, whose values between would pass through a cache larger
/// and slower than L2, or through most of L2. No node is in two.
std::vector<Chain> find_chains(const Graph& graph, const std::vector<View>& views, std::int64_t l2_bytes);

}  // namespace tessera
