// Tensors from attributes and shapes, and operators that pass their input on.

#include <algorithm>
#include <cmath>

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

/// An attribute of the operator with a range of axes, clamped as Shape does.
int clamped_axis(std::int64_t axis, int rank) {
  return static_cast<int>(std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank));
}

template <class T>
Tensor listed(std::vector<T> values) {
  const Dims dims{std::ssize(values)};
  return tensor_of(Kind::integer, dims, std::move(values));
}

template <class T>
Tensor filled(const Tensor& with, const Dims& dims, std::size_t count) {
  return tensor_of(with.kind, dims, std::vector<T>(count, numbers<T>(with).front()));
}

Result<Outputs> real_range(const Call& call) {
  const double start = call.input(0).at(0), limit = call.input(1).at(0), delta = call.input(2).at(0);
  const double count = std::max(std::ceil((limit - start) / delta), 0.0);
  if (!(count <= static_cast<double>(kMaxEvaluated))) {
    return Error{Code::limit_exceeded, text(called(call.node), ": more than ", kMaxEvaluated, " numbers")};
  }
  std::vector<float> out;
  for (double i = 0; i < count; ++i) out.push_back(static_cast<float>(start + i * delta));
  return Outputs{listed(std::move(out))};
}

Result<Outputs> integer_range(const Call& call) {
  const auto start = (*call.input(0).integers)[0], limit = (*call.input(1).integers)[0];
  const auto delta = (*call.input(2).integers)[0];
  // Unsigned differences and steps: any pair of 64-bit numbers has one.
  const bool forward = delta > 0, some = forward ? start < limit : start > limit;
  const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(limit);
  const auto step = static_cast<std::uint64_t>(delta);
  const std::uint64_t count = some ? ((forward ? to - from : from - to) - 1) / (forward ? step : 0 - step) + 1 : 0;
  if (count > static_cast<std::uint64_t>(kMaxEvaluated)) {
    return Error{Code::limit_exceeded, text(called(call.node), ": more than ", kMaxEvaluated, " numbers")};
  }
  IntegerList out;
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(static_cast<std::int64_t>(from + i * step));
  return Outputs{listed(std::move(out))};
}

}  // namespace

Result<Outputs> evaluate_constant(const Call& call) {
  const IrNode& node = call.node;
  if (const Tensor* value = node.tensor("value")) return Outputs{*value};
  if (node.has("value_float")) return Outputs{real_tensor({}, {node.float_or("value_float", 0)})};
  if (node.has("value_int")) return Outputs{integer_tensor({}, {node.int_or("value_int", 0)})};
  if (const auto* list = node.floats("value_floats")) return Outputs{listed(*list)};
  if (const auto* list = node.ints("value_ints")) return Outputs{listed(*list)};
  return not_supported(node, "its value is neither a dense tensor nor a number");
}

Result<Outputs> evaluate_constant_of_shape(const Call& call) {
  const auto shape = needed_list_of(call, 0, "shape");
  if (!shape) return shape.error();
  const auto dims = dims_of(call.node, *shape);
  if (!dims) return dims.error();
  const auto room = room_for(call.node, *dims);
  if (!room) return room.error();
  const Tensor* value = call.node.tensor("value");
  const Tensor with = value != nullptr ? *value : real_tensor({1}, {0.0f});
  if (with.size() != 1) return misfit(call.node, "value is not one number");
  return by_payload(with,
                    [&](auto zero) -> Result<Outputs> { return Outputs{filled<decltype(zero)>(with, *dims, *room)}; });
}

Result<Outputs> evaluate_range(const Call& call) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (call.input(i).size() != 1) return misfit(call.node, "start, limit and delta are not one number each");
    TESSERA_TRY(same_kind(call, call.input(0), call.input(i)));
  }
  if (call.input(2).at(0) == 0) return misfit(call.node, "a delta of 0");
  return call.input(0).is_real() ? real_range(call) : integer_range(call);
}

Result<Outputs> evaluate_shape(const Call& call) {
  const Dims& dims = call.input(0).dims;
  const int start = clamped_axis(call.node.int_or("start", 0), dims.count);
  const int end = clamped_axis(call.node.int_or("end", dims.count), dims.count);
  IntegerList out;
  for (int axis = start; axis < end; ++axis) out.push_back(dims[axis]);
  return Outputs{listed(std::move(out))};
}

Result<Outputs> evaluate_size(const Call& call) { return Outputs{integer_tensor({}, {call.input(0).size()})}; }

Result<Outputs> evaluate_identity(const Call& call) { return Outputs{call.input(0)}; }

Result<Outputs> evaluate_dropout(const Call& call) {
  const Tensor *ratio = call.optional(1), *training = call.optional(2);
  const bool trains = training != nullptr && training->size() == 1 && training->at(0) != 0;
  if (trains && (ratio == nullptr || ratio->size() != 1 || ratio->at(0) != 0)) {
    return not_supported(call.node, "training_mode");
  }
  IntegerList mask(static_cast<std::size_t>(call.input(0).size()), 1);
  return Outputs{call.input(0), integer_tensor(call.input(0).dims, std::move(mask), Kind::boolean)};
}

}  // namespace tessera::onnx
