#include "model/onnx/detect/tail.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/onnx/evaluate/evaluate.h"
#include "model/onnx/shapes.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Tensors that the tail has computed, each kept until its last reader ran: those of a large detector are many.
class Tail {
 public:
  Tail(const IrGraph& graph, const Cut& cut, const ShapeOf& shape_of)
      : graph_(graph), shape_of_(shape_of), values_(graph.values.size()), readers_(graph.values.size()) {
    for (const int index : cut.tail) {
      for (const int value : graph.nodes[at(index)].inputs) {
        if (value != kAbsent) ++readers_[at(value)];
      }
    }
    for (const int value : cut.targets) ++readers_[at(value)];
  }

  void set(int value, Tensor tensor) { values_[at(value)] = std::move(tensor); }

  Status run(const IrNode& node) {
    auto outputs = node.op == "Shape" ? shape(node) : compute(node);
    if (!outputs) return outputs.error();
    for (std::size_t i = 0; i < std::min(node.outputs.size(), outputs->size()); ++i) {
      if (node.outputs[i] != kAbsent) set(node.outputs[i], std::move((*outputs)[i]));
    }
    for (const int value : node.inputs) {
      if (value != kAbsent && --readers_[at(value)] == 0) values_[at(value)].reset();
    }
    return {};
  }

  const Tensor* find(int value) const {
    if (value == kAbsent) return nullptr;
    if (graph_.value(value).constant) return &*graph_.value(value).constant;
    return values_[at(value)] ? &*values_[at(value)] : nullptr;
  }

 private:
  Result<std::vector<Tensor>> compute(const IrNode& node) const {
    std::vector<const Tensor*> inputs;
    for (const int value : node.inputs) {
      inputs.push_back(find(value));
      if (value != kAbsent && inputs.back() == nullptr) {
        return not_supported(node, "reads ", quoted(graph_.value(value).name), ", which is no raw head");
      }
    }
    return evaluate(node, inputs, graph_.opset);
  }

  /// Of a tensor that is known, or of one of the network.
  Result<std::vector<Tensor>> shape(const IrNode& node) const {
    const Tensor* known = find(node.input(0));
    const auto dims = known != nullptr ? std::optional(known->dims) : shape_of_(node.input(0));
    if (!dims) return not_supported(node, "asks for extents that are not known");
    const std::int64_t rank = dims->count;
    const auto bound = [&](std::int64_t axis) {
      return std::clamp(axis < 0 ? axis + rank : axis, std::int64_t{0}, rank);
    };
    std::vector<std::int64_t> extents;
    for (std::int64_t i = bound(node.int_or("start", 0)); i < bound(node.int_or("end", rank)); ++i) {
      extents.push_back((*dims)[static_cast<int>(i)]);
    }
    return std::vector{integer_tensor({static_cast<std::int64_t>(extents.size())}, extents)};
  }

  const IrGraph& graph_;
  const ShapeOf& shape_of_;
  std::vector<std::optional<Tensor>> values_;
  std::vector<int> readers_;
};

}  // namespace

Result<std::vector<Tensor>> run_tail(const IrGraph& graph, const Cut& cut, std::span<const Tensor> heads,
                                     const ShapeOf& shape_of) {
  Tail tail(graph, cut, shape_of);
  for (std::size_t i = 0; i < heads.size(); ++i) tail.set(cut.heads[i], heads[i]);
  for (const int index : cut.tail) TESSERA_TRY(tail.run(graph.nodes[at(index)]));
  std::vector<Tensor> out;
  for (const int value : cut.targets) {
    const Tensor* found = tail.find(value);
    if (found == nullptr) {
      return Error{Code::unsupported, text("output ", quoted(graph.value(value).name), " is not computed by the tail")};
    }
    out.push_back(*found);
  }
  return out;
}

}  // namespace tessera::onnx
