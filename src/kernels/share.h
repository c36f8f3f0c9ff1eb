#pragma once
// Into how many tasks work is worth cutting.

#include <algorithm>
#include <cstdint>

namespace tessera {

/// Multiply-accumulates of a convolution below which a task gains less than handing it to another core costs, whose
/// cache has to fetch its data.
inline constexpr std::int64_t kLeastTaskMacs = 300'000;

/// Of `work`, of which `least` pays for a task: at most four per thread, so that uneven threads even out, and as many
/// for each. Threads then make the same rows of one node after the other and find them in their own cache: another
/// core's is many times as far.
inline std::int64_t worth_tasks(std::int64_t work, std::int64_t least, int threads) {
  if (threads <= 1) return 1;
  const std::int64_t tasks = std::clamp<std::int64_t>(work / least, 1, std::int64_t{4} * threads);
  return tasks > threads ? tasks / threads * threads : tasks;
}

}  // namespace tessera
