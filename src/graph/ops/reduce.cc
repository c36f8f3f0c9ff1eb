#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_reduce(const Node& node, std::span<const Extents> inputs) {
  const auto& reduce = std::get<ReduceAttrs>(node.attrs);
  const auto out = stated_shape_of(node, reduce.shape, reduce.out_dims);
  if (!out) return out;
  const auto count = places(node, "what is reduced", reduce.red_dims);
  if (!count) return count.error();
  const bool position = reduce.kind == ReduceKind::argmax || reduce.kind == ReduceKind::argmin;
  if (position && *count > kMaxExtent) {
    return op_error(node, "positions among ", *count, " numbers are not exact in f32, want at most ", kMaxExtent);
  }
  TESSERA_TRY(check_addresses(node, "the input",
                              {{reduce.out_dims, reduce.out_strides}, {reduce.red_dims, reduce.red_strides}}, 0,
                              elements(inputs[0])));
  return out;
}

}  // namespace tessera
