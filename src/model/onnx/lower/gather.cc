#include <algorithm>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

/// Known indices that step evenly are a slice. nullopt: they do not; an error: one is outside.
Result<std::optional<Range>> as_range(const IrNode& node, const Tensor& indices, std::int64_t extent) {
  Range range{0, 1, indices.size()};
  for (std::int64_t i = 0; i < indices.size(); ++i) {
    std::int64_t at = (*indices.integers)[static_cast<std::size_t>(i)];
    if (at < -extent || at >= extent) return misfit(node, "index ", at, " of an axis of ", extent);
    at += at < 0 ? extent : 0;
    if (i == 0) range.begin = at;
    if (i == 1) range.step = at - range.begin;
    if (at != range.begin + i * range.step) return std::optional<Range>();
  }
  return std::optional(range);
}

/// The view with the axis replaced by `dims` of the same number of elements.
View with_axis(const View& view, int axis, const Dims& dims) {
  View out{view.base, view.kind, {}, {}, view.offset};
  for (int i = 0; i < view.dims.size(); ++i) {
    if (i != axis) {
      out.dims.push_back(view.dims[i]), out.strides.push_back(view.strides[i]);
      continue;
    }
    std::int64_t rest = product(dims);
    for (const std::int64_t extent : dims) {
      rest /= std::max<std::int64_t>(extent, 1);
      out.dims.push_back(extent), out.strides.push_back(view.strides[i] * rest);
    }
  }
  return out;
}

Dims gathered(const Dims& data, int axis, const Dims& indices) {
  Dims out;
  for (int i = 0; i < axis; ++i) out.push_back(data[i]);
  for (const std::int64_t extent : indices) out.push_back(extent);
  for (int i = axis + 1; i < data.size(); ++i) out.push_back(data[i]);
  return out;
}

/// GatherAttrs over data and indices in row-major order.
Status define_gathered(Lowering& l, const IrNode& node, const View& data, int axis, bool elements, const Dims& dims) {
  const auto indices = l.view(node, 1);
  if (!indices) return indices.error();
  const auto straight = l.stored(node, data, natural_order(data.dims.size()));
  if (!straight) return straight.error();
  const auto places = l.stored(node, *indices, natural_order(indices->dims.size()));
  if (!places) return places.error();
  GatherAttrs attrs;
  attrs.outer = product(data.dims, 0, axis);
  attrs.axis = data.dims[axis];
  attrs.inner = product(data.dims, axis + 1, data.dims.size());
  attrs.elements = elements;
  attrs.shape = four_extents(dims);
  const auto out = l.add(node, attrs, {straight->base, places->base});
  if (!out) return out.error();
  l.define_whole(node, *out, data.kind, dims, natural_order(dims.size()));
  return {};
}

}  // namespace

Status lower_gather(Lowering& l, const IrNode& node) {
  const auto data = l.view(node, 0);
  if (!data) return data.error();
  const auto axis = axis_of(node, node.int_or("axis", 0), data->dims.size());
  if (!axis) return axis.error();
  const Tensor* known = l.constant(node, 1);
  if (known != nullptr && !known->is_real() && known->size() > 0) {
    const auto range = as_range(node, *known, data->dims[*axis]);
    if (!range) return range.error();
    if (*range) {
      const View slice = sliced(*data, *axis, (*range)->begin, (*range)->step, (*range)->count);
      const View out = with_axis(slice, *axis, known->dims);
      if (!out.dims.fits()) return misfit(node, "more than ", Dims::kMax, " axes");
      l.define(node, out);
      return {};
    }
  }
  const auto indices = l.view(node, 1);
  if (!indices) return indices.error();
  const Dims dims = gathered(data->dims, *axis, indices->dims);
  if (const auto fits = elements(node, dims); !fits) return fits.error();
  return define_gathered(l, node, *data, *axis, false, dims);
}

// The engine's form has the indices' other extents equal to the data's; where they are smaller, the data is cut.
Status lower_gather_elements(Lowering& l, const IrNode& node) {
  auto data = l.view(node, 0);
  if (!data) return data.error();
  const auto indices = l.view(node, 1);
  if (!indices) return indices.error();
  const auto axis = axis_of(node, node.int_or("axis", 0), data->dims.size());
  if (!axis) return axis.error();
  if (indices->dims.size() != data->dims.size()) return misfit(node, "indices of another rank than the data");
  for (int i = 0; i < data->dims.size(); ++i) {
    if (i == *axis) continue;
    if (indices->dims[i] > data->dims[i]) return misfit(node, "more indices than data along axis ", i);
    *data = sliced(*data, i, 0, 1, indices->dims[i]);
  }
  return define_gathered(l, node, *data, *axis, true, indices->dims);
}

}  // namespace tessera::onnx
