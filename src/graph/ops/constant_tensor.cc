#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_constant_tensor(const Node& node, std::span<const Extents>) {
  const auto& constant = std::get<ConstantAttrs>(node.attrs);
  const auto out = stated_shape(node, constant.shape);
  if (!out) return out;
  const auto have = constant.data ? static_cast<std::int64_t>(constant.data->size()) : 0;
  if (have != elements(*out)) {
    return op_error(node, "has ", have, " numbers, its shape ", to_string(*out), " wants ", elements(*out));
  }
  return out;
}

std::int64_t parameters_constant_tensor(const Node& node) {
  return static_cast<std::int64_t>(std::get<ConstantAttrs>(node.attrs).data->size());
}

}  // namespace tessera
