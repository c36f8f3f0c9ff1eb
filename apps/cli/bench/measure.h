#pragma once
// Timed runs of a whole network on noise.

#include <tessera/result.h>

#include <memory>
#include <vector>

#include "bench/timing.h"

namespace tessera::cli {

struct BenchRuns {
  int timed = 20, warmup = 3;
  bool layers = false;
};

struct Measured {
  std::vector<double> times_ms;
  std::vector<LayerTime> layers;  ///< only when asked for; timed one by one in runs of their own
  std::vector<LayerTime> chains;  ///< the same
};
/// Errors: cancelled when interrupted before the first timed run.
Result<Measured> measure(const std::shared_ptr<const Executable>& executable, int threads, const BenchRuns& runs);

/// Writes the same noise into every input, for every context.
void fill_inputs(const Executable& executable, ExecutionContext& context);
std::int64_t total_macs(const Graph& graph);

}  // namespace tessera::cli
