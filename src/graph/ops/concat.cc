#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_concat(const Node& node, std::span<const Extents> inputs) {
  Extents out = inputs[0];
  out.c = 0;
  for (const Extents& input : inputs) {
    if (input.n != out.n || input.h != out.h || input.w != out.w) {
      return op_error(node, "joins the channels of ", to_string(inputs[0]), " and ", to_string(input),
                      ", want the same height and width");
    }
    out.c += input.c;  // at most 2^31 inputs of at most kMaxExtent each
  }
  return out;
}

}  // namespace tessera
