#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_mul(const Node& node, std::span<const Extents> inputs) {
  TESSERA_TRY(check_activation(node, std::get<MulAttrs>(node.attrs).act));
  const Extents& a = inputs[0];
  const Extents& b = inputs[1];
  const bool same_pixels = b.h == a.h && b.w == a.w;
  const bool per_channel = b.h == 1 && b.w == 1 && b.c == a.c;
  const bool fits = b.n == a.n && (per_channel || (same_pixels && (b.c == a.c || b.c == 1)));
  if (!fits) {
    return op_error(node, "multiplies ", to_string(a), " by ", to_string(b),
                    ", want the same shape, one factor per channel or one per pixel");
  }
  return a;
}

}  // namespace tessera
