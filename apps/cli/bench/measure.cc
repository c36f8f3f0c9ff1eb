#include "bench/measure.h"

#include <numeric>

#include "common/interrupt.h"
#include "common/tensors.h"

namespace tessera::cli {

Result<Measured> measure(const std::shared_ptr<const Executable>& executable, int threads, const BenchRuns& runs) {
  auto context = ExecutionContext::create(executable, threads);
  if (!context) return context.error();
  ThreadPool pool(threads);
  const auto fill = [&] { fill_inputs(*executable, *context); };
  Measured out;
  for (int i = 0; i < runs.warmup + runs.timed && !interrupted(); ++i) {
    fill();  // a run may overwrite its input
    const double taken = milliseconds([&] { context->run(pool); });
    if (i >= runs.warmup) out.times_ms.push_back(taken);
  }
  if (runs.layers) {
    out.layers = time_layers(*executable, *context, pool, runs.warmup, runs.timed, fill);
    out.chains = time_chains(*executable, *context, pool, runs.warmup, runs.timed, fill);
  }
  if (out.times_ms.empty()) return Error{Code::cancelled, "stopped before the first timed run"};
  return out;
}

void fill_inputs(const Executable& executable, ExecutionContext& context) {
  for (std::size_t i = 0; i < executable.graph().inputs.size(); ++i) fill_with_noise(context.input(i), 1 + i);
}

std::int64_t total_macs(const Graph& graph) {
  return std::accumulate(graph.nodes.begin(), graph.nodes.end(), std::int64_t{0},
                         [&](std::int64_t sum, const Node& node) { return sum + macs(graph, node); });
}

}  // namespace tessera::cli
