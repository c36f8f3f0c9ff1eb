#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_reshape(const Node& node, std::span<const Extents> inputs) {
  const auto out = stated_shape(node, std::get<ReshapeAttrs>(node.attrs).shape);
  if (!out) return out;
  if (elements(*out) != elements(inputs[0])) {
    return op_error(node, "sees ", to_string(inputs[0]), " as ", to_string(*out), ", want the same number of elements");
  }
  return out;
}

}  // namespace tessera
