#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_rearrange(const Node& node, std::span<const Extents> inputs) {
  const auto& r = std::get<RearrangeAttrs>(node.attrs);
  const auto out = stated_shape_of(node, r.shape, r.dims);
  if (!out) return out;
  TESSERA_TRY(check_addresses(node, "the input", {{r.dims, r.strides}}, r.offset, elements(inputs[0])));
  return out;
}

}  // namespace tessera
