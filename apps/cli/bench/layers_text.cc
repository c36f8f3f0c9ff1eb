#include <fmt/format.h>

#include <algorithm>

#include "bench/layers.h"

namespace tessera::cli {
namespace {

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string machine_text(const Machine& machine) {
  std::string out = fmt::format("\nmachine, measured: {:.1f} GFLOP/s f32 multiply-add", machine.peak_gflops);
  for (const MemoryLevel& level : machine.levels) {
    out += fmt::format(", {} {:.1f} GB/s", level.name, level.gb_per_s);
  }
  return out + fmt::format(" (reading; {}, {} thread{})\n", to_string(machine.isa), machine.threads,
                           machine.threads == 1 ? "" : "s");
}

constexpr const char* kHeader = "{:<24} {:<28} {:>16} {:>9} {:>6} {:>8} {:>8} {:>9} {:>8} {:>6}  {}\n";

std::string layer_table(const std::vector<Layer>& layers, double total_ms) {
  std::string out = fmt::format(fmt::runtime(kHeader), "node", "kernel", "output", "ms", "share", "GFLOP/s", "MB",
                                "bound ms", "by", "of it", "why not better");
  for (const Layer& l : layers) {
    out += fmt::format("{:<24} {:<28} {:>16} {:>9.4f} {:>5.1f}% {:>8.1f} {:>8.3f} {:>9.4f} {:>8} {:>5.0f}%  {}\n",
                       l.node, l.kernel, l.shape, l.median_ms, percent(l.median_ms, total_ms),
                       gflops_per_s(l.macs, l.median_ms), 1e-6 * l.work.bytes, l.bound.ms(), l.bound.limit(),
                       percent(l.bound.ms(), l.median_ms), short_reason(l));
  }
  return out;
}

std::string kernel_table(const std::vector<Layer>& layers, double total_ms) {
  std::string out = fmt::format("{:<28} {:>6} {:>9} {:>6} {:>8} {:>9} {:>6}\n", "kernel", "nodes", "ms", "share",
                                "GFLOP/s", "bound ms", "of it");
  for (const auto& [kernel, sums] : sums_by_kernel(layers)) {
    out += fmt::format("{:<28} {:>6} {:>9.4f} {:>5.1f}% {:>8.1f} {:>9.4f} {:>5.0f}%\n", kernel, sums.nodes, sums.ms,
                       percent(sums.ms, total_ms), gflops_per_s(sums.macs, sums.ms), sums.bound_ms,
                       percent(sums.bound_ms, sums.ms));
  }
  return out;
}

std::string chain_table(const std::vector<ChainTime>& chains) {
  if (chains.empty()) return "";
  double alone = 0, together = 0;
  std::string out =
      fmt::format("\nchains: layers that a run computes together, band by band\n{:<44} {:>9} {:>11} {:>6}\n", "nodes",
                  "alone ms", "together ms", "gain");
  const auto line = [&](const std::string& name, double alone_ms, double together_ms) {
    out += fmt::format("{:<44} {:>9.4f} {:>11.4f} {:>5.2f}x\n", name, alone_ms, together_ms, alone_ms / together_ms);
  };
  for (const ChainTime& chain : chains) {
    line(fmt::format("{} to {} ({})", chain.nodes.front(), chain.nodes.back(), chain.nodes.size()), chain.alone_ms,
         chain.together_ms);
    alone += chain.alone_ms, together += chain.together_ms;
  }
  if (chains.size() > 1) line("all", alone, together);
  return out;
}

std::vector<Layer> slowest(std::vector<Layer> layers, std::size_t count) {
  std::ranges::stable_sort(layers, std::ranges::greater{}, &Layer::median_ms);
  layers.resize(std::min(layers.size(), count));
  return layers;
}

}  // namespace

std::string layers_text(const LayerReport& report) {
  const std::vector<Layer>& layers = report.layers;
  const LayerSums sums = sum_of(layers);
  std::string out = machine_text(report.machine) + "\n" + layer_table(layers, sums.ms);
  out += fmt::format("sum of layers {:.3f} ms, timed one by one; sum of bounds {:.3f} ms ({:.0f} %)\n", sums.ms,
                     sums.bound_ms, percent(sums.bound_ms, sums.ms));
  out += chain_table(report.chains);
  out += "\nby kernel\n" + kernel_table(layers, sums.ms);
  return out + "\nthe slowest\n" + layer_table(slowest(layers, 10), sums.ms);
}

}  // namespace tessera::cli
