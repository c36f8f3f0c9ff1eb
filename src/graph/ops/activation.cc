#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_activation(const Node& node, std::span<const Extents> inputs) {
  TESSERA_TRY(check_activation(node, std::get<ActivationAttrs>(node.attrs).act));
  return inputs[0];
}

}  // namespace tessera
