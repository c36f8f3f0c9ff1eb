#pragma once
// Times of runs and layers.

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "device/device.h"

namespace tessera::cli {

struct Summary {
  double min = 0, median = 0, p90 = 0;
};
/// Of at least one time. The median of an even count is the mean of the middle two; p90 is the smallest time that nine
/// tenths do not exceed (nearest rank).
Summary summarize(std::vector<double> times);

/// How long f() takes.
template <class F>
double milliseconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct LayerTime {
  std::size_t node;  ///< index in the graph
  double median_ms = 0;
};
/// Median time between one node's end and the next one's, over `runs` runs after `warmup`. `fill` writes the input
/// before each. Nodes that are views take no time and are left out.
std::vector<LayerTime> time_layers(const Executable& executable, ExecutionContext& context, ThreadPool& pool,
                                   int warmup, int runs, const std::function<void()>& fill);
/// The same of each chain (Executable::chains()) in one piece; `node` is its last.
std::vector<LayerTime> time_chains(const Executable& executable, ExecutionContext& context, ThreadPool& pool,
                                   int warmup, int runs, const std::function<void()>& fill);

}  // namespace tessera::cli
