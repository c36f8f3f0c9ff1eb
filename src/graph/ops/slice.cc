#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_slice(const Node& node, std::span<const Extents> inputs) {
  const auto& slice = std::get<SliceAttrs>(node.attrs);
  Extents out = inputs[0];
  if (slice.begin < 0 || slice.count < 1 || slice.begin > out.c || slice.count > out.c - slice.begin) {
    return op_error(node, "takes ", slice.count, " channels from ", slice.begin, ", the input has ", out.c);
  }
  out.c = slice.count;
  return out;
}

}  // namespace tessera
