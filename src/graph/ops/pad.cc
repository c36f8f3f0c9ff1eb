#include "graph/ops/ops.h"

namespace tessera {
namespace {

// Within kMaxExtent on each side, so that sums stay small; infer_node checks the result.
Status check_axis(const Node& node, PadMode mode, std::int64_t extent, std::int64_t begin, std::int64_t end) {
  const std::int64_t most = mode == PadMode::reflect ? extent - 1 : kMaxExtent;
  if (begin >= 0 && end >= 0 && begin <= most && end <= most) return {};
  return op_error(node, "pads an axis of ", extent, " by ", begin, " and ", end, ", want 0 to ", most);
}

}  // namespace

Result<Extents> infer_pad(const Node& node, std::span<const Extents> inputs) {
  const auto& pad = std::get<PadAttrs>(node.attrs);
  if (pad.begin.count != 4 || pad.end.count != 4) {
    return op_error(node, "pads ", pad.begin.count, " and ", pad.end.count, " axes, want 4");
  }
  if (pad.value - pad.value != 0) return op_error(node, "pads with ", pad.value, ", want a finite number");
  Extents out = inputs[0];
  std::int64_t* const axes[] = {&out.n, &out.h, &out.w, &out.c};
  for (int i = 0; i < 4; ++i) {
    TESSERA_TRY(check_axis(node, pad.mode, *axes[i], pad.begin[i], pad.end[i]));
    *axes[i] += pad.begin[i] + pad.end[i];
  }
  return out;
}

}  // namespace tessera
