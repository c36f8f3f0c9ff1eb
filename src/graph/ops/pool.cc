#include "graph/ops/ops.h"

namespace tessera {
namespace {

// Does the window at position i have a tap on the image?
bool on_image(const WindowAxis& axis, std::int64_t i) {
  const std::int64_t start = i * axis.stride - axis.pad_before;
  const std::int64_t skipped = start < 0 ? (-start + axis.dilation - 1) / axis.dilation : 0;
  return skipped < axis.kernel && start + skipped * axis.dilation < axis.extent;
}

// Between a first and a last window on the image every window is, unless taps are so far apart that they step over it.
bool all_on_image(const WindowAxis& axis, std::int64_t count) {
  if (!on_image(axis, 0) || !on_image(axis, count - 1)) return false;
  if (axis.dilation <= axis.extent) return true;
  constexpr std::int64_t kMost = 1 << 16;  // far above any network: a hostile one may not cost more
  if (count > kMost) return false;
  for (std::int64_t i = 1; i + 1 < count; ++i) {
    if (!on_image(axis, i)) return false;
  }
  return true;
}

// Padding never takes part, so a window that lies on padding alone would have no value.
Result<std::int64_t> positions_on_image(const Node& node, const WindowAxis& axis) {
  auto count = window_positions(node, axis);
  if (!count || all_on_image(axis, *count)) return count;
  return op_error(node, axis.name, ": a window of ", axis.kernel, " lies wholly on the padding ", axis.pad_before, "+",
                  axis.pad_after, ", want less padding");
}

}  // namespace

Result<Extents> infer_pool(const Node& node, std::span<const Extents> inputs) {
  const auto& pool = std::get<PoolAttrs>(node.attrs);
  const Extents& in = inputs[0];
  const auto h = positions_on_image(node, {"height", in.h, pool.kh, pool.sh, pool.dh, pool.pad.top, pool.pad.bottom});
  if (!h) return h.error();
  const auto w = positions_on_image(node, {"width", in.w, pool.kw, pool.sw, pool.dw, pool.pad.left, pool.pad.right});
  if (!w) return w.error();
  return Extents{in.n, *h, *w, in.c};
}

}  // namespace tessera
