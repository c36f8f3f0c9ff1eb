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

/// Layers that a run computes together, band by band.
struct ChainTime {
  std::vector<std::string> nodes;
  double alone_ms = 0, together_ms = 0;  ///< the sum of the layers' times; the whole in one piece
};
/// times and chains as time_layers and time_chains gave them.
std::vector<ChainTime> explain_chains(const Executable& executable, const std::vector<LayerTime>& times,
                                      const std::vector<LayerTime>& chains);

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

struct LayerReport {
  std::vector<Layer> layers;
  std::vector<ChainTime> chains;
  Machine machine;
};
/// The machine, a line per layer, per chain and per kernel, the ten slowest.
std::string layers_text(const LayerReport& report);
/// Adds "machine", "layers", "chains" and "by_kernel".
void add_layers(nlohmann::ordered_json& out, const LayerReport& report);

}  // namespace tessera::cli
