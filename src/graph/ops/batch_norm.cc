#include <cmath>

#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_batch_norm(const Node& node, std::span<const Extents> inputs) {
  const auto& norm = std::get<BatchNormAttrs>(node.attrs);
  const auto channels = static_cast<std::size_t>(inputs[0].c);
  const std::pair<const char*, const Constant*> constants[] = {
      {"gamma", &norm.gamma}, {"beta", &norm.beta}, {"mean", &norm.mean}, {"variance", &norm.variance}};
  for (const auto& [name, constant] : constants) {
    const std::size_t size = *constant ? (*constant)->size() : 0;
    if (size != channels) return op_error(node, name, " has ", size, " values, the input has ", channels, " channels");
  }
  for (std::size_t c = 0; c < channels; ++c) {
    if (const float variance = (*norm.variance)[c]; !(variance + norm.epsilon > 0)) {
      return op_error(node, "channel ", c, ": variance ", variance, " plus epsilon ", norm.epsilon,
                      " is not above 0, so there is no square root to divide by");
    }
  }
  return inputs[0];
}

std::int64_t parameters_batch_norm(const Node& node) {
  return 4 * static_cast<std::int64_t>(std::get<BatchNormAttrs>(node.attrs).gamma->size());
}

}  // namespace tessera
