#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_upsample(const Node& node, std::span<const Extents> inputs) {
  const auto& upsample = std::get<UpsampleAttrs>(node.attrs);
  if (upsample.factor_h < 1 || upsample.factor_w < 1) {
    return op_error(node, "the factors are ", upsample.factor_h, " and ", upsample.factor_w, ", want at least 1");
  }
  Extents out = inputs[0];
  out.h *= upsample.factor_h;
  out.w *= upsample.factor_w;
  return out;
}

}  // namespace tessera
