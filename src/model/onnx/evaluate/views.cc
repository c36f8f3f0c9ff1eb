// Operators that rearrange: each makes its tables for take().

#include <algorithm>

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/take.h"
#include "model/untrusted_text.h"

namespace tessera::onnx {
namespace {

/// All of `dims`, in steps of `strides`.
std::vector<AxisTable> tables_of(const Dims& dims, const Dims& strides) {
  std::vector<AxisTable> tables;
  tables.reserve(Dims::kMax);
  for (int axis = 0; axis < dims.count; ++axis) tables.push_back(table_of(dims[axis], strides[axis]));
  return tables;
}
std::vector<AxisTable> whole(const Dims& dims) { return tables_of(dims, strides_of(dims)); }

std::optional<std::span<const std::int64_t>> view(const std::optional<IntegerList>& list) {
  if (!list) return std::nullopt;
  return std::span<const std::int64_t>(*list);
}

Tensor permuted(const Tensor& source, std::span<const int> permutation) {
  const std::vector<AxisTable> tables = whole(source.dims);
  std::vector<AxisTable> moved;
  for (const int axis : permutation) moved.push_back(tables[static_cast<std::size_t>(axis)]);
  return take(source, moved);
}

/// Where index `i` of [0, extent), possibly outside, takes its number from.
std::int64_t padded_index(std::string_view mode, std::int64_t i, std::int64_t extent) {
  if (i >= 0 && i < extent) return i;
  if (mode == "edge") return i < 0 ? 0 : extent - 1;
  if (mode == "wrap") return (i % extent + extent) % extent;
  if (mode != "reflect") return kNowhere;
  const std::int64_t period = std::max<std::int64_t>(2 * (extent - 1), 1);  // 0 1 2 1 | 0 1 2 1
  const std::int64_t phase = (i % period + period) % period;
  return std::min(phase, period - phase) % extent;
}

constexpr std::string_view kPadModes[] = {"constant", "edge", "reflect", "wrap"};

Result<double> pad_value(const Call& call) {
  const Tensor* given = call.optional(2);
  if (given == nullptr) return double{call.node.float_or("value", 0)};
  if (given->size() != 1) return misfit(call.node, "constant_value is not one number");
  return given->at(0);
}

}  // namespace

Result<Outputs> evaluate_transpose(const Call& call) {
  const auto permutation = permutation_of(call.node, call.input(0).dims.count);
  if (!permutation) return permutation.error();
  return Outputs{permuted(call.input(0), *permutation)};
}

Result<Outputs> evaluate_slice(const Call& call) {
  const Tensor& x = call.input(0);
  const auto starts = needed_list_of(call, 1, "starts"), ends = needed_list_of(call, 2, "ends");
  if (!starts || !ends) return starts ? ends.error() : starts.error();
  const auto axes = list_of(call, 3, "axes"), steps = list_of(call, 4, "steps");
  if (!axes || !steps) return axes ? steps.error() : axes.error();
  const auto ranges = slice_ranges(call.node, x.dims, {*starts, *ends, view(*axes), view(*steps)});
  if (!ranges) return ranges.error();
  const Dims strides = strides_of(x.dims);
  std::vector<AxisTable> tables;
  tables.reserve(Dims::kMax);
  for (int axis = 0; axis < x.dims.count; ++axis) {
    tables.push_back(table_of((*ranges)[static_cast<std::size_t>(axis)], strides[axis]));
  }
  return Outputs{take(x, tables)};
}

Result<Outputs> evaluate_split(const Call& call) {
  const Tensor& x = call.input(0);
  const auto axis = axis_of(call.node, call.node.int_or("axis", 0), x.dims.count);
  if (!axis) return axis.error();
  const auto given = list_of(call, 1, "split");
  if (!given) return given.error();
  const auto sizes = split_sizes(call.node, x.dims[*axis], view(*given), call.opset);
  if (!sizes) return sizes.error();
  std::vector<AxisTable> tables = whole(x.dims);
  Outputs out;
  std::int64_t begin = 0;
  for (const std::int64_t size : *sizes) {
    tables[static_cast<std::size_t>(*axis)] = table_of(Range{begin, 1, size}, strides_of(x.dims)[*axis]);
    out.push_back(take(x, tables));
    begin += size;
  }
  return out;
}

Result<Outputs> evaluate_expand(const Call& call) {
  const Tensor& x = call.input(0);
  const auto shape = needed_list_of(call, 1, "shape");
  if (!shape) return shape.error();
  const auto wanted = dims_of(call.node, *shape);
  if (!wanted) return wanted.error();
  const auto dims = broadcast(call.node, x.dims, *wanted);
  if (!dims) return dims.error();
  if (const auto room = room_for(call.node, *dims); !room) return room.error();
  return Outputs{take(x, tables_of(*dims, broadcast_strides(x.dims, *dims)))};
}

Result<Outputs> evaluate_tile(const Call& call) {
  const Tensor& x = call.input(0);
  const auto repeats = needed_list_of(call, 1, "repeats");
  if (!repeats) return repeats.error();
  const auto dims = tiled(call.node, x.dims, *repeats);
  if (!dims) return dims.error();
  if (const auto room = room_for(call.node, *dims); !room) return room.error();
  const std::vector<AxisTable> once = whole(x.dims);
  std::vector<AxisTable> tables(once.size());
  for (std::size_t axis = 0; axis < once.size(); ++axis) {
    // Not `repeats` times: of an empty axis there may be any number of them.
    const auto extent = static_cast<std::size_t>((*dims)[static_cast<int>(axis)]);
    for (std::size_t i = 0; i < extent; ++i) tables[axis].push_back(once[axis][i % once[axis].size()]);
  }
  return Outputs{take(x, tables)};
}

Result<Outputs> evaluate_pad(const Call& call) {
  const Tensor& x = call.input(0);
  const std::string mode = call.node.string_or("mode", "constant");
  if (std::ranges::find(kPadModes, mode) == std::end(kPadModes)) return not_supported(call.node, quoted(mode));
  const auto axes = list_of(call, 3, "axes");
  const auto given = needed_list_of(call, 1, "pads");
  if (!axes || !given) return axes ? given.error() : axes.error();
  const auto pads = pads_of(call.node, x.dims, *given, view(*axes));
  if (!pads) return pads.error();
  if (const auto room = room_for(call.node, pads->dims); !room) return room.error();
  const auto value = pad_value(call);
  if (!value) return value.error();
  std::vector<AxisTable> tables;
  for (int axis = 0; axis < x.dims.count; ++axis) {
    if (mode != "constant" && x.dims[axis] == 0 && pads->dims[axis] > 0) return misfit(call.node, "nothing to repeat");
    AxisTable table;
    for (std::int64_t i = 0; i < pads->dims[axis]; ++i) {
      const std::int64_t from = padded_index(mode, i - pads->begin[axis], x.dims[axis]);
      table.push_back(from == kNowhere ? kNowhere : from * strides_of(x.dims)[axis]);
    }
    tables.push_back(std::move(table));
  }
  return Outputs{take(x, tables, *value)};
}

Result<Outputs> evaluate_depth_space(const Call& call) {
  const auto blocks = blocks_of(call.node, call.input(0).dims);
  if (!blocks) return blocks.error();
  const Tensor split = with_dims(call.input(0), blocks->split);
  return Outputs{with_dims(permuted(split, blocks->permutation), blocks->dims)};
}

}  // namespace tessera::onnx
