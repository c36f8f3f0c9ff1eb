#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_binary(const Node& node, std::span<const Extents> inputs) {
  const auto& binary = std::get<BinaryAttrs>(node.attrs);
  TESSERA_TRY(check_activation(node, binary.act));
  const auto out = stated_shape_of(node, binary.shape, binary.dims);
  if (!out) return out;
  TESSERA_TRY(check_addresses(node, "input a", {{binary.dims, binary.a_strides}}, 0, elements(inputs[0])));
  TESSERA_TRY(check_addresses(node, "input b", {{binary.dims, binary.b_strides}}, 0, elements(inputs[1])));
  return out;
}

}  // namespace tessera
