#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_select(const Node& node, std::span<const Extents> inputs) {
  const auto& select = std::get<SelectAttrs>(node.attrs);
  const auto out = stated_shape_of(node, select.shape, select.dims);
  if (!out) return out;
  TESSERA_TRY(check_addresses(node, "the condition", {{select.dims, select.c_strides}}, 0, elements(inputs[0])));
  TESSERA_TRY(check_addresses(node, "input a", {{select.dims, select.a_strides}}, 0, elements(inputs[1])));
  TESSERA_TRY(check_addresses(node, "input b", {{select.dims, select.b_strides}}, 0, elements(inputs[2])));
  return out;
}

}  // namespace tessera
