#include "bench/layers.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::cli {

void LayerSums::add(const Layer& layer) {
  ++nodes;
  ms += layer.median_ms;
  bound_ms += layer.bound.ms();
  macs += layer.macs;
}

LayerSums sum_of(const std::vector<Layer>& layers) {
  LayerSums sums;
  for (const Layer& layer : layers) sums.add(layer);
  return sums;
}

std::vector<std::pair<std::string, LayerSums>> sums_by_kernel(const std::vector<Layer>& layers) {
  std::map<std::string, LayerSums> kernels;
  for (const Layer& layer : layers) kernels[layer.kernel].add(layer);
  std::vector<std::pair<std::string, LayerSums>> out(kernels.begin(), kernels.end());
  std::ranges::stable_sort(out, std::ranges::greater{}, [](const auto& entry) { return entry.second.ms; });
  return out;
}

double gflops_per_s(std::int64_t macs, double ms) { return ms > 0 ? 2e-6 * static_cast<double>(macs) / ms : 0; }

std::vector<Layer> explain_layers(const Executable& executable, const std::vector<LayerTime>& times,
                                  const Machine& machine) {
  const Graph& graph = executable.graph();
  std::vector<Layer> out;
  for (const LayerTime& time : times) {
    const Node& node = graph.nodes[time.node];
    const NodeChoice& choice = executable.choices()[time.node];
    const Work work = work_of(graph, executable.memory(), node, choice.impl);
    out.push_back({node.name, op_name(node.attrs), choice.impl, to_string(graph.value(node.output).spec.shape),
                   macs(graph, node), time.median_ms, work, bound_of(work, machine), choice.skipped});
  }
  return out;
}

std::vector<ChainTime> explain_chains(const Executable& executable, const std::vector<LayerTime>& times,
                                      const std::vector<LayerTime>& chains) {
  std::map<std::size_t, double> alone;
  for (const LayerTime& time : times) alone[time.node] = time.median_ms;
  std::vector<ChainTime> out;
  for (const Chain& chain : executable.chains()) {
    const auto last = static_cast<std::size_t>(chain.nodes.back());
    const auto together = std::ranges::find(chains, last, &LayerTime::node);
    if (together == chains.end()) continue;
    ChainTime time{{}, 0, together->median_ms};
    for (const std::int32_t node : chain.nodes) {
      time.nodes.push_back(executable.graph().nodes[static_cast<std::size_t>(node)].name);
      time.alone_ms += alone[static_cast<std::size_t>(node)];
    }
    out.push_back(std::move(time));
  }
  return out;
}

namespace {

/// "conv_gemm_avx2: small image" as kernel and reason.
std::pair<std::string, std::string> split_reason(const std::string& skipped) {
  const auto colon = skipped.find(": ");
  if (colon == std::string::npos) return {skipped, ""};
  return {skipped.substr(0, colon), skipped.substr(colon + 2)};
}

// Made for another kind of layer, or of processor: true, but of no news to who wants this layer faster.
bool is_obvious(const std::string& reason) { return reason.starts_with("only ") || reason.starts_with("needs "); }

}  // namespace

std::string short_reason(const Layer& layer) {
  if (layer.skipped.empty()) return "";
  auto [kernel, reason] = split_reason(layer.skipped.back());
  for (auto at = layer.skipped.rbegin(); at != layer.skipped.rend(); ++at) {
    const auto parts = split_reason(*at);
    if (is_obvious(parts.second)) continue;
    std::tie(kernel, reason) = parts;
    break;
  }
  if (kernel.starts_with(layer.op + "_")) kernel.erase(0, layer.op.size() + 1);
  reason.resize(std::min(reason.find(" ("), reason.size()));  // what stands in brackets is for the full form
  return "no " + kernel + (reason.empty() ? "" : ": ") + reason;
}

}  // namespace tessera::cli
