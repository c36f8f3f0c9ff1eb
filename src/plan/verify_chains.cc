#include "plan/verify_chains.h"

#include <vector>

#include "base/text.h"

namespace tessera {
namespace {

Error refuse(std::string message) { return {Code::invalid_argument, text("memory plan: ", message)}; }

class ChainVerifier {
 public:
  ChainVerifier(const Graph& graph, const MemoryPlan& plan)
      : graph_(graph),
        plan_(plan),
        readers_(graph.values.size()),
        handed_(plan.buffers.size()),
        ending_(graph.nodes.size()) {
    for (const Node& node : graph.nodes) {
      for (const ValueId id : node.inputs) ++readers_[static_cast<std::size_t>(id)];
    }
    for (const ValueId id : graph.outputs) ++readers_[static_cast<std::size_t>(id)];
  }

  Status run() {
    for (const Chain& chain : plan_.chains) TESSERA_TRY(check(chain));
    for (std::size_t i = 0; i < handed_.size(); ++i) {
      if (!handed_[i] && plan_.buffers[i].offset >= plan_.arena_bytes && plan_.buffers[i].bytes > 0) {
        return refuse(text("buffer ", i, " lies behind the arena, where only chains hand values on"));
      }
    }
    return {};
  }

 private:
  const Node& node(std::int32_t at) const { return graph_.nodes[static_cast<std::size_t>(at)]; }
  const Placement& placement(ValueId id) const { return plan_.placements[static_cast<std::size_t>(id)]; }

  Status check(const Chain& chain) {
    if (chain.nodes.empty()) return refuse("a chain without nodes");
    for (std::size_t i = 0; i < chain.nodes.size(); ++i) {
      const std::int32_t at = chain.nodes[i], before = i == 0 ? -1 : chain.nodes[i - 1];
      if (at <= before || static_cast<std::size_t>(at) >= graph_.nodes.size()) {
        return refuse(text("a chain with node ", at, " behind node ", before));
      }
      if (i > 0) TESSERA_TRY(check_link(before, at));
    }
    if (ending_[static_cast<std::size_t>(chain.nodes.back())]++ > 0)
      return refuse(text("two chains that end with '", node(chain.nodes.back()).name, "'"));
    return {};
  }

  Status check_link(std::int32_t before, std::int32_t at) {
    const Node &from = node(before), &to = node(at);
    const bool handed = !to.inputs.empty() && to.inputs[0] == from.output;
    if (!handed || readers_[static_cast<std::size_t>(from.output)] != 1) {
      return refuse(text("a chain where '", from.name, "' does not hand its output to '", to.name, "' alone"));
    }
    for (std::int32_t i = before + 1; i < at; ++i) {
      const bool idle = placement(node(i).output).alias || std::holds_alternative<InputAttrs>(node(i).attrs);
      if (!idle) return refuse(text("a chain that '", node(i).name, "' stands amidst"));
    }
    const std::int32_t buffer = placement(from.output).buffer;
    if (buffer < 0) return refuse(text("a chain that hands on the constant '", from.name, "'"));
    handed_[static_cast<std::size_t>(buffer)] = true;
    return {};
  }

  const Graph& graph_;
  const MemoryPlan& plan_;
  std::vector<int> readers_;          // per value
  std::vector<bool> handed_;          // per buffer
  std::vector<std::int32_t> ending_;  // per node: how many chains end there
};

}  // namespace

Status verify_chains(const Graph& graph, const MemoryPlan& plan) { return ChainVerifier(graph, plan).run(); }

}  // namespace tessera
