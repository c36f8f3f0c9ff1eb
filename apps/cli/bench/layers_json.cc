#include <nlohmann/json.hpp>

#include "bench/layers.h"

namespace tessera::cli {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

nlohmann::ordered_json machine_json(const Machine& machine) {
  auto levels = nlohmann::ordered_json::array();
  for (const MemoryLevel& level : machine.levels) {
    levels.push_back({{"level", level.name}, {"measured_bytes", level.measured_bytes}, {"gb_per_s", level.gb_per_s}});
  }
  return {{"isa", to_string(machine.isa)},
          {"threads", machine.threads},
          {"peak_gflops", machine.peak_gflops},
          {"reading", levels}};
}

nlohmann::ordered_json layer_json(const Layer& layer) {
  return {{"node", layer.node},
          {"op", layer.op},
          {"kernel", layer.kernel},
          {"shape", layer.shape},
          {"macs", layer.macs},
          {"median_ms", layer.median_ms},
          {"gflops", gflops_per_s(layer.macs, layer.median_ms)},
          {"computed_flops", layer.work.flops},
          {"bytes", layer.work.bytes},
          {"compute_ms", layer.bound.compute_ms},
          {"memory_ms", layer.bound.memory_ms},
          {"memory_level", layer.bound.level},
          {"bound_ms", layer.bound.ms()},
          {"bound_by", layer.bound.limit()},
          {"of_bound", share(layer.bound.ms(), layer.median_ms)},
          {"skipped", layer.skipped}};
}

}  // namespace

void add_layers(nlohmann::ordered_json& out, const LayerReport& report) {
  out["machine"] = machine_json(report.machine);
  auto& list = out["layers"] = nlohmann::ordered_json::array();
  for (const Layer& layer : report.layers) list.push_back(layer_json(layer));
  auto& chains = out["chains"] = nlohmann::ordered_json::array();
  for (const ChainTime& chain : report.chains) {
    chains.push_back({{"nodes", chain.nodes}, {"alone_ms", chain.alone_ms}, {"together_ms", chain.together_ms}});
  }
  auto& kernels = out["by_kernel"] = nlohmann::ordered_json::array();
  for (const auto& [kernel, sums] : sums_by_kernel(report.layers)) {
    kernels.push_back({{"kernel", kernel},
                       {"nodes", sums.nodes},
                       {"ms", sums.ms},
                       {"gflops", gflops_per_s(sums.macs, sums.ms)},
                       {"bound_ms", sums.bound_ms},
                       {"of_bound", share(sums.bound_ms, sums.ms)}});
  }
}

}  // namespace tessera::cli
