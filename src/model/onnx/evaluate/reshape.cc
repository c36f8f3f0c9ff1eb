// Operators that only see the same numbers with other extents.

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

Result<Outputs> seen_as(const Call& call, Result<Dims> dims) {
  if (!dims) return std::move(dims).error();
  return Outputs{with_dims(call.input(0), *dims)};
}

}  // namespace

Result<Outputs> evaluate_reshape(const Call& call) {
  const auto shape = needed_list_of(call, 1, "shape");
  if (!shape) return shape.error();
  return seen_as(call, reshaped(call.node, call.input(0).dims, *shape));
}

Result<Outputs> evaluate_flatten(const Call& call) { return seen_as(call, flattened(call.node, call.input(0).dims)); }

Result<Outputs> evaluate_squeeze(const Call& call) {
  const auto axes = list_of(call, 1, "axes");
  if (!axes) return axes.error();
  if (!*axes) return seen_as(call, squeezed(call.node, call.input(0).dims, std::nullopt));
  return seen_as(call, squeezed(call.node, call.input(0).dims, **axes));
}

Result<Outputs> evaluate_unsqueeze(const Call& call) {
  const auto axes = needed_list_of(call, 1, "axes");
  if (!axes) return axes.error();
  return seen_as(call, unsqueezed(call.node, call.input(0).dims, *axes));
}

}  // namespace tessera::onnx
