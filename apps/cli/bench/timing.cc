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

std::vector<LayerTime> time_layers(const Executable& executable, ExecutionContext& context, ThreadPool& pool,
                                   int warmup, int runs, const std::function<void()>& fill) {
  using Clock = std::chrono::steady_clock;
  const Graph& graph = executable.graph();
  std::vector<std::vector<double>> times(graph.nodes.size());
  for (int i = 0; i < warmup + runs; ++i) {
    fill();
    auto last = Clock::now();
    context.run_observed(pool, [&](std::size_t node, const TensorRef&) {
      const auto now = Clock::now();
      if (i >= warmup) times[node].push_back(std::chrono::duration<double, std::milli>(now - last).count());
      last = Clock::now();  // what was noted between is not the next node's
    });
  }
  std::vector<LayerTime> out;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    const Node& n = graph.nodes[node];
    const bool view = executable.memory().placements[static_cast<std::size_t>(n.output)].alias;
    if (times[node].empty() || view || std::holds_alternative<InputAttrs>(n.attrs)) continue;
    out.push_back({node, summarize(std::move(times[node])).median});
  }
  return out;
}

}  // namespace tessera::cli
