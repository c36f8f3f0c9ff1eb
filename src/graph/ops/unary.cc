#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_unary(const Node& node, std::span<const Extents> inputs) {
  const auto& unary = std::get<UnaryAttrs>(node.attrs);
  if (unary.alpha - unary.alpha != 0 || unary.beta - unary.beta != 0) {
    return op_error(node, "the parameters are ", unary.alpha, " and ", unary.beta, ", want finite numbers");
  }
  return inputs[0];
}

}  // namespace tessera
