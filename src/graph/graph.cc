#include "graph/graph.h"

namespace tessera {

const char* to_string(Activation activation) noexcept {
  switch (activation) {
    case Activation::linear:
      return "linear";
    case Activation::relu:
      return "relu";
    case Activation::relu6:
      return "relu6";
    case Activation::leaky:
      return "leaky";
    case Activation::mish:
      return "mish";
    case Activation::hard_mish:
      return "hard_mish";
    case Activation::silu:
      return "silu";
    case Activation::logistic:
      return "logistic";
    case Activation::hard_swish:
      return "hard_swish";
    case Activation::tanh:
      return "tanh";
  }
  return "unknown";
}

ValueId Graph::add_input(std::string name, const Shape& nhwc, DType dtype) {
  const ValueId id = add(std::move(name), InputAttrs{}, {});
  value(id).spec.shape = nhwc;
  value(id).spec.dtype = dtype;
  inputs.push_back(id);
  return id;
}

ValueId Graph::add(std::string name, Attrs attrs, std::vector<ValueId> node_inputs) {
  const auto id = static_cast<ValueId>(values.size());
  values.push_back({name, {}, static_cast<NodeId>(nodes.size())});
  nodes.push_back({std::move(name), std::move(attrs), std::move(node_inputs), id});
  return id;
}

}  // namespace tessera
