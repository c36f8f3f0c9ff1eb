// Operators whose addresses are data. Every index is checked: it may count from the end, but not leave its axis.

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/take.h"
#include "model/onnx/evaluate/walk.h"

namespace tessera::onnx {
namespace {

/// The numbers of an index tensor, brought into [0, extent).
Result<IntegerList> indices_of(const Call& call, const Tensor& tensor, std::int64_t extent) {
  if (tensor.kind != Kind::integer) return misfit(call.node, "indices are no integers");
  IntegerList out;
  for (const std::int64_t index : numbers<std::int64_t>(tensor)) {
    if (index < -extent || index >= extent) return misfit(call.node, "index ", index, " of an axis of ", extent);
    out.push_back(index < 0 ? index + extent : index);
  }
  return out;
}

template <class T>
Tensor picked(const Call& call, const Dims& dims, const IntegerList& indices, int axis) {
  const Dims& from = call.input(0).dims;
  const auto x = numbers<T>(call.input(0));
  Dims strides = strides_of(from);
  const std::int64_t stride = strides[axis];
  strides[axis] = 0;
  std::vector<T> out;
  walk(dims, std::array{strides, strides_of(dims)}, [&](const auto& at) {
    out.push_back(x[static_cast<std::size_t>(at[0] + indices[static_cast<std::size_t>(at[1])] * stride)]);
  });
  return tensor_of(call.input(0).kind, dims, std::move(out));
}

/// Gather over one axis of data seen as [before, extent, after].
Tensor taken_along(const Tensor& data, int axis, const IntegerList& indices, const Dims& dims) {
  const std::int64_t after = product(data.dims, axis + 1, data.dims.count);
  AxisTable table;
  for (const std::int64_t index : indices) table.push_back(index * after);
  const std::int64_t before = product(data.dims, 0, axis);
  return with_dims(take(data, {table_of(before, data.dims[axis] * after), table, table_of(after, 1)}), dims);
}

}  // namespace

Result<Outputs> evaluate_gather(const Call& call) {
  const Tensor &data = call.input(0), &where = call.input(1);
  const auto axis = axis_of(call.node, call.node.int_or("axis", 0), data.dims.count);
  if (!axis) return axis.error();
  const auto indices = indices_of(call, where, data.dims[*axis]);
  if (!indices) return indices.error();
  Dims dims;
  for (int i = 0; i < *axis; ++i) dims.push_back(data.dims[i]);
  for (const std::int64_t extent : where.dims) dims.push_back(extent);
  for (int i = *axis + 1; i < data.dims.count; ++i) dims.push_back(data.dims[i]);
  if (const auto room = room_for(call.node, dims); !room) return room.error();
  return Outputs{taken_along(data, *axis, *indices, dims)};
}

Result<Outputs> evaluate_gather_elements(const Call& call) {
  const Tensor &data = call.input(0), &where = call.input(1);
  const auto axis = axis_of(call.node, call.node.int_or("axis", 0), data.dims.count);
  if (!axis) return axis.error();
  if (where.dims.count != data.dims.count) return misfit(call.node, "indices are ", shown(where.dims));
  for (int i = 0; i < data.dims.count; ++i) {
    if (i != *axis && where.dims[i] > data.dims[i]) {
      return misfit(call.node, "indices ", shown(where.dims), " of ", shown(data.dims));
    }
  }
  const auto indices = indices_of(call, where, data.dims[*axis]);
  if (!indices) return indices.error();
  return by_payload(data, [&](auto zero) -> Result<Outputs> {
    return Outputs{picked<decltype(zero)>(call, where.dims, *indices, *axis)};
  });
}

}  // namespace tessera::onnx
