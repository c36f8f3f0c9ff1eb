#include "bench/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tessera::cli {

Summary summarize(std::vector<double> times) {
  std::ranges::sort(times);
  const std::size_t n = times.size();
  const double median = n % 2 == 1 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
  const auto rank = static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(n)));
  return {times.front(), median, times[rank - 1]};
}

namespace {

/// Per node the times from the end of what was observed before to its own. run(observe) is a run of either kind.
template <class Run>
std::vector<std::vector<double>> observed_times(std::size_t nodes, int warmup, int runs,
                                                const std::function<void()>& fill, const Run& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> times(nodes);
  for (int i = 0; i < warmup + runs; ++i) {
    fill();
    auto last = Clock::now();
    run([&](std::size_t node, const TensorRef&) {
      const auto now = Clock::now();
      if (i >= warmup) times[node].push_back(std::chrono::duration<double, std::milli>(now - last).count());
      last = Clock::now();  // what was noted between is not the next node's
    });
  }
  return times;
}

}  // namespace

std::vector<LayerTime> time_layers(const Executable& executable, ExecutionContext& context, ThreadPool& pool,
                                   int warmup, int runs, const std::function<void()>& fill) {
  const Graph& graph = executable.graph();
  auto times = observed_times(graph.nodes.size(), warmup, runs, fill,
                              [&](const auto& observe) { context.run_observed(pool, observe); });
  std::vector<LayerTime> out;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    const Node& n = graph.nodes[node];
    const bool view = executable.memory().placements[static_cast<std::size_t>(n.output)].alias;
    if (times[node].empty() || view || std::holds_alternative<InputAttrs>(n.attrs)) continue;
    out.push_back({node, summarize(std::move(times[node])).median});
  }
  return out;
}

std::vector<LayerTime> time_chains(const Executable& executable, ExecutionContext& context, ThreadPool& pool,
                                   int warmup, int runs, const std::function<void()>& fill) {
  std::vector<LayerTime> out;
  if (executable.chains().empty()) return out;
  auto times = observed_times(executable.graph().nodes.size(), warmup, runs, fill,
                              [&](const auto& observe) { context.run_regions_observed(pool, observe); });
  for (const Chain& chain : executable.chains()) {
    const auto last = static_cast<std::size_t>(chain.nodes.back());
    if (!times[last].empty()) out.push_back({last, summarize(std::move(times[last])).median});
  }
  return out;
}

}  // namespace tessera::cli
