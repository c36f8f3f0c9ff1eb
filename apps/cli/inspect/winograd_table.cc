#include "inspect/winograd_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tessera::cli {
namespace {

constexpr const char* kRow = "{:<4} {:<20} {:<30} {:>10} {:>10} {:>10} {:>12} {:>8}\n";

/// Over the largest output; of no outputs but zeros there is no such thing.
double share(double error, const WinogradError& layer) { return layer.largest > 0 ? error / layer.largest : 0; }

}  // namespace

std::string winograd_text(std::span<const WinogradError> layers) {
  if (layers.empty()) return "no layer takes Winograd\n";
  std::string out =
      fmt::format(fmt::runtime(kRow), "", "layer", "kernel", "largest", "error", "bound", "plain error", "of plain");
  for (const WinogradError& layer : layers) {
    const auto number = [&](double error) { return fmt::format("{:.2e}", share(error, layer)); };
    out += fmt::format(fmt::runtime(kRow), layer.within() ? "ok" : "OUT", layer.node, layer.impl,
                       fmt::format("{:.3e}", layer.largest), number(layer.worst), number(layer.bound),
                       number(layer.plain_worst), fmt::format("{:.1f}x", layer.worst / layer.plain_worst));
  }
  const auto outside = std::ranges::count_if(layers, [](const auto& layer) { return !layer.within(); });
  const auto& worst = std::ranges::max(layers, {}, [](const auto& layer) { return share(layer.worst, layer); });
  return out +
         fmt::format("{} layers, {} above the bound; errors are of the largest output; the worst, {:.2e}, is {}\n",
                     layers.size(), outside, share(worst.worst, worst), worst.node);
}

nlohmann::ordered_json winograd_json(std::span<const WinogradError> layers) {
  auto out = nlohmann::ordered_json::array();
  for (const WinogradError& layer : layers) {
    out.push_back({{"node", layer.node},
                   {"kernel", layer.impl},
                   {"largest", layer.largest},
                   {"error", layer.worst},
                   {"bound", layer.bound},
                   {"plain_kernel", layer.plain},
                   {"plain_error", layer.plain_worst},
                   {"within", layer.within()}});
  }
  return {{"winograd", std::move(out)}};
}

}  // namespace tessera::cli
