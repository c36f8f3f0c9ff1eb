#pragma once
// `tessera bench --layers`: per layer the time, the least it could take on this machine, and why it has its kernel.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/bound.h"
#include "bench/timing.h"
#include "device/device.h"

namespace tessera::cli {

struct Layer {
  std::string node, op, kernel, shape;
  std::int64_t macs = 0;
  double median_ms = 0;
  Work work;
  Bound bound;
  std::vector<std::string> skipped;  ///< better kernels, each with the reason against it
};

/// Of the timed nodes, in run order.
std::vector<Layer> explain_layers(const Executable& executable, const std::vector<LayerTime>& times,
                                  const Machine& machine);

/// What layers have together; of all, or of one kernel.
struct LayerSums {
  int nodes = 0;
  double ms = 0, bound_ms = 0;
  std::int64_t macs = 0;

  void add(const Layer& layer);
};
LayerSums sum_of(const std::vector<Layer>& layers);
/// Slowest first.
std::vector<std::pair<std::string, LayerSums>> sums_by_kernel(const std::vector<Layer>& layers);

/// Two operations per multiply-accumulate; 0 without a time.
double gflops_per_s(std::int64_t macs, double ms);

/// "no winograd: small image" from the last of `skipped` whose reason is not that it is made for other layers or
/// processors, else from the last; "" when there is none.
std::string short_reason(const Layer& layer);

/// The machine, a line per layer, a line per kernel, the ten slowest.
std::string layers_text(const std::vector<Layer>& layers, const Machine& machine);
/// Adds "machine", "layers" and "by_kernel".
void add_layers(nlohmann::ordered_json& out, const std::vector<Layer>& layers, const Machine& machine);

}  // namespace tessera::cli
