#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_top_k(const Node& node, std::span<const Extents> inputs) {
  Extents out = inputs[0];
  const std::int64_t k = std::get<TopKAttrs>(node.attrs).k;
  if (k < 1 || k > out.c) return op_error(node, "takes ", k, " of ", out.c, " channels");
  out.c = k;
  return out;
}

}  // namespace tessera
