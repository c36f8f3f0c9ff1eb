#include "graph/ops/strided.h"

namespace tessera {

Result<Extents> infer_concat_dims(const Node& node, std::span<const Extents> inputs) {
  const auto& concat = std::get<ConcatDimsAttrs>(node.attrs);
  const auto out = stated_shape(node, concat.shape);
  if (!out) return out;
  if (concat.inner.size() != inputs.size()) {
    return op_error(node, "has ", concat.inner.size(), " run lengths for ", inputs.size(), " inputs");
  }
  std::int64_t sum = 0;  // at most 2^31 inputs of at most kMaxElements each
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto count = places(node, "an input", {concat.outer, concat.inner[i]});
    if (!count) return count.error();
    if (*count != elements(inputs[i])) {
      return op_error(node, "input ", i, " is ", to_string(inputs[i]), ", want ", concat.outer, " runs of ",
                      concat.inner[i]);
    }
    sum += *count;
  }
  if (sum == elements(*out)) return out;
  return op_error(node, "joins ", sum, " elements to the stated shape ", to_string(*out));
}

}  // namespace tessera
