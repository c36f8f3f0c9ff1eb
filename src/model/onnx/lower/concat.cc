#include <algorithm>
#include <numeric>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

/// Windows of one value that differ in where they begin only, by equal steps: `outer` of them each time `inner`.
struct Steps {
  std::int64_t outer = 1, inner = 1, outer_stride = 0, inner_stride = 0;
};

/// Focus (four slices of every second row and column, concatenated) is such a family of 2 x 2; so is a plain one of n.
std::optional<Steps> equal_steps(std::span<const View> views) {
  const View& first = views.front();
  for (const View& view : views) {
    if (view.base != first.base || view.dims != first.dims || view.strides != first.strides) return std::nullopt;
  }
  const auto count = static_cast<std::int64_t>(views.size());
  const auto fits = [&](const Steps& steps) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = i / steps.inner * steps.outer_stride + i % steps.inner * steps.inner_stride;
      if (views[static_cast<std::size_t>(i)].offset != first.offset + at) return false;
    }
    return true;
  };
  for (std::int64_t inner = count; inner >= 2; --inner) {
    if (count % inner != 0) continue;
    const Steps steps{count / inner, inner,
                      inner < count ? views[static_cast<std::size_t>(inner)].offset - first.offset : 0,
                      views[1].offset - first.offset};
    if (fits(steps)) return steps;
  }
  return std::nullopt;
}

/// One view of all of them: the axis becomes outer x inner x itself.
std::optional<View> joined(std::span<const View> views, int axis) {
  const auto steps = equal_steps(views);
  if (!steps || views.front().dims.size() + 2 > Dims::kMax) return std::nullopt;
  const View& first = views.front();
  View out{first.base, first.kind, {}, {}, first.offset};
  for (int i = 0; i < first.dims.size(); ++i) {
    if (i == axis) {
      out.dims.push_back(steps->outer), out.strides.push_back(steps->outer_stride);
      out.dims.push_back(steps->inner), out.strides.push_back(steps->inner_stride);
    }
    out.dims.push_back(first.dims[i]), out.strides.push_back(first.strides[i]);
  }
  return out;
}

Result<View> as_one_view(Lowering& l, const IrNode& node, const View& parts, int axis, const Dims& dims) {
  if (const auto direct = reshaped(parts, dims)) return *direct;
  // Stored as the result will be: an image with its channels innermost.
  Order order;
  for (const int a : dims.size() == 4 ? image_order(4) : natural_order(dims.size())) {
    if (a == axis) order.insert(order.end(), {a, a + 1, a + 2});
    if (a != axis) order.push_back(a > axis ? a + 2 : a);
  }
  const auto placed = l.stored(node, parts, order);
  if (!placed) return placed;
  const auto out = reshaped(*placed, dims);
  if (!out) return misfit(node, "cannot join the parts of ", shown(dims));
  return *out;
}

Status concat_channels(Lowering& l, const IrNode& node, std::span<const View> views, const Dims& dims) {
  std::vector<ValueId> images;
  for (const View& view : views) {
    const auto image = l.image(node, view);
    if (!image) return image.error();
    images.push_back(*image);
  }
  const auto out = l.add(node, ConcatAttrs{}, std::move(images));
  if (!out) return out.error();
  l.define_whole(node, *out, views.front().kind, dims, image_order(4));
  return {};
}

/// All parts stored in one order; the axis and what is inside it is one run of each.
Status concat_runs(Lowering& l, const IrNode& node, std::span<const View> views, int axis, const Dims& dims) {
  const Order order = memory_order(views.front());
  const auto place = std::ranges::find(order, axis);
  ConcatDimsAttrs attrs;
  for (auto outer = order.begin(); outer != place; ++outer) attrs.outer *= dims[*outer];
  std::vector<ValueId> bases;
  for (const View& view : views) {
    const auto part = l.stored(node, view, order);
    if (!part) return part.error();
    bases.push_back(part->base);
    attrs.inner.push_back(product(view.dims) / attrs.outer);
  }
  attrs.shape = four_extents(permuted(dims, order));
  const auto out = l.add(node, std::move(attrs), std::move(bases));
  if (!out) return out.error();
  l.define_whole(node, *out, views.front().kind, dims, order);
  return {};
}

}  // namespace

Status lower_concat(Lowering& l, const IrNode& node) {
  std::vector<View> views;
  std::vector<Dims> parts;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto view = l.view(node, i);
    if (!view) return view.error();
    views.push_back(*view);
    parts.push_back(view->dims);
  }
  if (views.empty()) return misfit(node, "has no inputs");
  const auto axis = axis_of(node, node.int_or("axis", 0), parts.front().size());
  if (!axis) return axis.error();
  const auto dims = concatenated(node, parts, *axis);
  if (!dims) return dims.error();
  if (views.size() == 1) {
    l.define(node, views.front());
    return {};
  }
  if (const auto family = joined(views, *axis)) {
    const auto out = as_one_view(l, node, *family, *axis, *dims);
    if (!out) return out.error();
    l.define(node, *out);
    return {};
  }
  if (dims->size() == 4 && *axis == 1) return concat_channels(l, node, views, *dims);
  return concat_runs(l, node, views, *axis, *dims);
}

}  // namespace tessera::onnx
