#include <cmath>

#include "graph/ops/ops.h"

namespace tessera {

Result<Extents> infer_from_bytes(const Node& node, std::span<const Extents> inputs) {
  const auto& attrs = std::get<FromBytesAttrs>(node.attrs);
  const auto channels = static_cast<std::size_t>(inputs[0].c);
  for (const auto& [name, numbers] : {std::pair("scale", &attrs.scale), std::pair("shift", &attrs.shift)}) {
    if (numbers->size() != channels) {
      return op_error(node, name, " has ", numbers->size(), " numbers, the input has ", channels, " channels");
    }
    for (const float number : *numbers) {
      if (!std::isfinite(number)) return op_error(node, name, " is ", number, ", want a finite number");
    }
  }
  return inputs[0];
}

std::int64_t parameters_from_bytes(const Node& node) {
  const auto& attrs = std::get<FromBytesAttrs>(node.attrs);
  return static_cast<std::int64_t>(attrs.scale.size() + attrs.shift.size());
}

}  // namespace tessera
