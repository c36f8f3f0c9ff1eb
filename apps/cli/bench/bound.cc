#include "bench/bound.h"

#include "device/cpu/cpu.h"

namespace tessera::cli {
namespace {

constexpr double kFloat = sizeof(float);

/// Of the products that are counted, those that are made.
double share_of_products(std::string_view impl) {
  const WinogradScheme* scheme = winograd_scheme(impl);
  if (!scheme) return 1;
  return static_cast<double>(scheme->elements()) / static_cast<double>(scheme->out * scheme->out * 9);
}

double elements(const Graph& graph, ValueId id) {
  const Extents e = extents(graph.value(id).spec);
  return static_cast<double>(e.n) * static_cast<double>(e.h) * static_cast<double>(e.w) * static_cast<double>(e.c);
}

double bytes(const Graph& graph, ValueId id) {
  return static_cast<double>(element_size(graph.value(id).spec.dtype)) * elements(graph, id);
}

// Concat copies only the inputs that are not placed inside its output.
double concat_values(const Graph& graph, const MemoryPlan& memory, const Node& node) {
  const auto placement = [&memory](ValueId id) { return memory.placements[static_cast<std::size_t>(id)]; };
  const Placement dst = placement(node.output);
  std::int64_t channel = dst.channel;
  double copied = 0;
  for (ValueId id : node.inputs) {
    const Placement src = placement(id);
    const bool in_place = src.buffer == dst.buffer && src.channel == channel;
    copied += in_place ? 0 : elements(graph, id);
    channel += extents(graph.value(id).spec).c;
  }
  return 2 * copied;
}

}  // namespace

Work work_of(const Graph& graph, const MemoryPlan& memory, const Node& node, std::string_view impl) {
  Work work;
  work.flops = 2 * share_of_products(impl) * static_cast<double>(macs(graph, node));
  if (std::holds_alternative<ConcatAttrs>(node.attrs)) {
    work.bytes = kFloat * concat_values(graph, memory, node);
    return work;
  }
  work.bytes = bytes(graph, node.output) + kFloat * static_cast<double>(parameters(node));
  for (ValueId id : node.inputs) work.bytes += bytes(graph, id);
  return work;
}

Bound bound_of(const Work& work, const Machine& machine) {
  const MemoryLevel& level = level_for(machine, work.bytes);
  return {1e-6 * work.flops / machine.peak_gflops, 1e-6 * work.bytes / level.gb_per_s, level.name};
}

}  // namespace tessera::cli
