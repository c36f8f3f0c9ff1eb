#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_gather(const Node& node, std::span<const Extents> inputs) {
  const auto& gather = std::get<GatherAttrs>(node.attrs);
  const auto out = stated_shape(node, gather.shape);
  if (!out) return out;
  const auto data = places(node, "the data", {gather.outer, gather.axis, gather.inner});
  if (!data) return data.error();
  if (*data != elements(inputs[0])) {
    return op_error(node, "its data is ", to_string(inputs[0]), ", want outer ", gather.outer, " x axis ", gather.axis,
                    " x inner ", gather.inner);
  }
  const std::int64_t indices = elements(inputs[1]), around = gather.outer * gather.inner;  // around <= *data
  const bool fits = gather.elements ? indices % around == 0 && indices == elements(*out)
                                    : elements(*out) % around == 0 && elements(*out) / around == indices;
  if (!fits) {
    return op_error(node, indices, " indices between outer ", gather.outer, " and inner ", gather.inner,
                    " do not give the stated shape ", to_string(*out));
  }
  return out;
}

}  // namespace tessera
