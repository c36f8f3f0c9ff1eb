#include "plan/chains.h"

#include <algorithm>

namespace tessera {
namespace {

std::int64_t bytes_of(const Graph& graph, ValueId id) {
  const Extents e = extents(graph.value(id).spec);
  return 4 * e.n * e.h * e.w * root_pixel_stride(graph, id);
}

/// What a band of rows passes over, whatever its height.
std::int64_t weight_bytes(const Graph& graph, const Node& node) {
  const auto* conv = std::get_if<ConvAttrs>(&node.attrs);
  if (!conv) return 0;
  const std::int64_t ic = extents(graph.value(node.inputs[0]).spec).c / conv->groups;
  return 4 * ic * conv->oc * conv->kh * conv->kw;
}

/// Kernels that sum directly and few rows at a time as well as many: 1x1, depthwise, and first layers. Other 3x3
/// convolutions are better off with Winograd. A picture's bytes become numbers as the first layer asks for them.
bool can_be_cut(const Graph& graph, const Node& node) {
  const auto* conv = std::get_if<ConvAttrs>(&node.attrs);
  if (!conv) return std::holds_alternative<FromBytesAttrs>(node.attrs);
  const std::int64_t ic = extents(graph.value(node.inputs[0]).spec).c;
  if (conv->groups != 1) return conv->groups == ic && conv->groups == conv->oc;
  return conv->kh * conv->kw == 1 || ic <= 4;
}

class Finder {
 public:
  Finder(const Graph& graph, const std::vector<View>& views, std::int64_t l2_bytes)
      : graph_(graph), views_(views), l2_bytes_(l2_bytes), readers_(graph.values.size()) {
    for (const Node& node : graph.nodes) {
      for (const ValueId id : node.inputs) ++readers_[static_cast<std::size_t>(id)];
    }
    for (const ValueId id : graph.outputs) ++readers_[static_cast<std::size_t>(id)];
  }

  std::vector<Chain> find() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (std::holds_alternative<InputAttrs>(node.attrs) || is_alias(graph_, views_, node)) continue;
      if (!continues(node)) end_chain();
      if (!can_be_cut(graph_, node)) continue;
      open_.nodes.push_back(static_cast<std::int32_t>(i));
      weights_ += weight_bytes(graph_, node);
    }
    end_chain();
    return std::move(chains_);
  }

 private:
  void end_chain() {
    if (open_.nodes.size() > 1) chains_.push_back(open_);
    open_.nodes.clear();
    weights_ = 0;
  }

  bool continues(const Node& node) const {
    if (open_.nodes.empty() || open_.nodes.size() == Chain::kMostNodes || !can_be_cut(graph_, node)) return false;
    const ValueId handed = graph_.nodes[static_cast<std::size_t>(open_.nodes.back())].output;
    const auto at = static_cast<std::size_t>(handed);
    if (node.inputs[0] != handed || readers_[at] != 1 || views_[at].parent != kNone) return false;
    return pays(handed) && weights_ + weight_bytes(graph_, node) <= l2_bytes_ / 4;  // which are read for every band
  }

  // Two values of less, a layer's input and output, stay in L2 anyway.
  bool pays(ValueId handed) const { return 8 * bytes_of(graph_, handed) >= 3 * l2_bytes_; }

  const Graph& graph_;
  const std::vector<View>& views_;
  std::int64_t l2_bytes_;
  std::vector<int> readers_;
  Chain open_;
  std::int64_t weights_ = 0;  // of the open chain
  std::vector<Chain> chains_;
};

}  // namespace

std::vector<Chain> find_chains(const Graph& graph, const std::vector<View>& views, std::int64_t l2_bytes) {
  return Finder(graph, views, l2_bytes).find();
}

}  // namespace tessera
