#include "graph/ops/ops.h"

namespace tessera {
namespace {

// Padding never takes part, so a window that lies on padding alone would have no value.
Result<std::int64_t> positions_on_image(const Node& node, const WindowAxis& axis) {
  auto count = window_positions(node, axis);
  if (!count) return count;
  const std::int64_t last = (*count - 1) * axis.stride - axis.pad_before;
  if (axis.pad_before >= axis.kernel || last >= axis.extent) {
    return op_error(node, axis.name, ": a window of ", axis.kernel, " lies wholly on the padding ", axis.pad_before,
                    "+", axis.pad_after, ", want less padding");
  }
  return count;
}

}  // namespace

Result<Extents> infer_pool(const Node& node, std::span<const Extents> inputs) {
  const auto& pool = std::get<PoolAttrs>(node.attrs);
  const Extents& in = inputs[0];
  const auto h = positions_on_image(node, {"height", in.h, pool.kh, pool.sh, 1, pool.pad.top, pool.pad.bottom});
  if (!h) return h.error();
  const auto w = positions_on_image(node, {"width", in.w, pool.kw, pool.sw, 1, pool.pad.left, pool.pad.right});
  if (!w) return w.error();
  return Extents{in.n, *h, *w, in.c};
}

}  // namespace tessera
