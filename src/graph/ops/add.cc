#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_add(const Node& node, std::span<const Extents> inputs) {
  TESSERA_TRY(check_activation(node, std::get<AddAttrs>(node.attrs).act));
  for (const Extents& input : inputs) {
    if (!(input == inputs[0])) {
      return op_error(node, "adds ", to_string(inputs[0]), " and ", to_string(input), ", want one shape");
    }
  }
  return inputs[0];
}

}  // namespace tessera
