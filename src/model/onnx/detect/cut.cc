#include "model/onnx/detect/cut.h"

#include <algorithm>

#include "base/text.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool counts_up(const Tensor& weights) {
  if (weights.dims.count != 4 || weights.dims[0] != 1 || weights.dims[2] != 1 || weights.dims[3] != 1) return false;
  for (std::int64_t i = 0; i < weights.size(); ++i) {
    if (weights.at(i) != static_cast<double>(i)) return false;
  }
  return weights.size() > 1;
}

class Walk {
 public:
  explicit Walk(const IrGraph& graph)
      : graph_(graph), producer_(producers(graph)), seen_(graph.values.size()), in_tail_(graph.nodes.size()) {}

  Status back_from(int target) {
    std::vector<int> open{target};
    while (!open.empty()) {
      const int value = open.back();
      open.pop_back();
      if (value == kAbsent || seen_[at(value)]) continue;
      seen_[at(value)] = true;
      TESSERA_TRY(visit(target, value, open));
    }
    return {};
  }

  Cut cut(std::vector<int> targets) {
    Cut out{.heads = std::move(heads_), .tail = {}, .targets = std::move(targets)};
    for (std::size_t i = 0; i < in_tail_.size(); ++i) {
      if (in_tail_[i]) out.tail.push_back(static_cast<int>(i));
    }
    std::ranges::sort(out.heads, {}, [&](int value) { return producer_[at(value)]; });
    return out;
  }

 private:
  Status visit(int target, int value, std::vector<int>& open) {
    if (graph_.value(value).constant) return {};
    const int index = producer_[at(value)];
    if (index == kAbsent) {
      return Error{Code::unsupported, text("output ", quoted(graph_.value(target).name), " sees input ",
                                           quoted(graph_.value(value).name), " without a convolution between them")};
    }
    const IrNode& node = graph_.nodes[at(index)];
    if (is_head(node)) {
      heads_.push_back(value);
      return {};
    }
    in_tail_[at(index)] = true;
    // A shape is known without the numbers.
    if (node.op != "Shape" && node.op != "Size") open.insert(open.end(), node.inputs.begin(), node.inputs.end());
    return {};
  }

  bool is_head(const IrNode& node) const {
    if (node.op != "Conv" && node.op != "ConvTranspose") return false;
    const Tensor* weights = constant_of(graph_, producer_, node.input(1));
    return weights == nullptr || !counts_up(*weights);
  }

  const IrGraph& graph_;
  std::vector<int> producer_;
  std::vector<bool> seen_, in_tail_;
  std::vector<int> heads_;
};

std::vector<int> targets_of(const IrGraph& graph) {
  for (const IrNode& node : graph.nodes) {
    if (node.op == "NonMaxSuppression" && node.inputs.size() >= 2) return {node.inputs[0], node.inputs[1]};
  }
  return graph.outputs;
}

}  // namespace

std::vector<int> producers(const IrGraph& graph) {
  std::vector<int> out(graph.values.size(), kAbsent);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const int value : graph.nodes[i].outputs) {
      if (value != kAbsent) out[at(value)] = static_cast<int>(i);
    }
  }
  return out;
}

const Tensor* constant_of(const IrGraph& graph, const std::vector<int>& producer, int value) {
  while (value != kAbsent) {
    if (graph.value(value).constant) return &*graph.value(value).constant;
    const int index = producer[at(value)];
    if (index == kAbsent) return nullptr;
    const IrNode& node = graph.nodes[at(index)];
    if (node.op == "Constant") return node.tensor("value");
    if (node.op != "Identity") return nullptr;
    value = node.input(0);  // an earlier node: the walk ends
  }
  return nullptr;
}

Result<Cut> cut_at_heads(const IrGraph& graph) {
  const std::vector<int> targets = targets_of(graph);
  Walk walk(graph);
  for (const int target : targets) TESSERA_TRY(walk.back_from(target));
  Cut cut = walk.cut(targets);
  if (cut.heads.empty()) return Error{Code::unsupported, "no output comes from a convolution"};
  return cut;
}

}  // namespace tessera::onnx
