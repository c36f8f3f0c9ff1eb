// Many numbers to one along axes, and what is picked along one axis.

#include <algorithm>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

struct Function {
  std::string_view op;
  ReduceKind kind;
};
constexpr Function kFunctions[] = {
    {"ArgMax", ReduceKind::argmax},   {"ArgMin", ReduceKind::argmin},   {"ReduceL2", ReduceKind::l2},
    {"ReduceMax", ReduceKind::max},   {"ReduceMean", ReduceKind::mean}, {"ReduceMin", ReduceKind::min},
    {"ReduceProd", ReduceKind::prod}, {"ReduceSum", ReduceKind::sum},
};
static_assert(std::ranges::is_sorted(kFunctions, std::ranges::less{}, &Function::op));

ReduceKind kind_of_op(const IrNode& node) {
  return std::ranges::lower_bound(kFunctions, node.op, std::ranges::less{}, &Function::op)->kind;
}

/// An attribute, or an input: ReduceSum since opset 13, the others since 18.
Result<std::vector<int>> reduced_axes(const Lowering& l, const IrNode& node, int rank) {
  const bool as_input = l.opset() >= (node.op == "ReduceSum" ? 13 : 18);
  std::vector<std::int64_t> given;
  if (as_input) {
    const auto input = l.integers(node, 1);
    if (!input) return input.error();
    given = input->value_or(given);
  } else if (node.ints("axes") != nullptr) {
    given = *node.ints("axes");
  }
  if (!given.empty()) return axes_of(node, given, rank);
  return node.int_or("noop_with_empty_axes", 0) != 0 ? std::vector<int>() : natural_order(rank);
}

bool holds(const std::vector<int>& axes, int axis) { return std::ranges::find(axes, axis) != axes.end(); }

/// ReduceAttrs that walk the view: what is kept in the order of memory, what is reduced row-major (positions count so).
ReduceAttrs walk(const View& view, const std::vector<int>& axes, Order& kept) {
  ReduceAttrs out;
  for (const int axis : memory_order(view)) {
    if (holds(axes, axis)) continue;
    kept.push_back(axis);
    out.out_dims.push_back(view.dims[axis]), out.out_strides.push_back(view.strides[axis]);
  }
  for (int axis = 0; axis < view.dims.size(); ++axis) {
    if (!holds(axes, axis)) continue;
    out.red_dims.push_back(view.dims[axis]), out.red_strides.push_back(view.strides[axis]);
  }
  return out;
}

/// The result with extents of 1 for the reduced axes, stored with the kept ones in their order.
View kept_view(const View& view, const std::vector<int>& axes, const Order& kept, ValueId base, Kind kind) {
  View out{base, kind, view.dims, view.dims, 0};
  std::int64_t stride = 1;
  for (auto axis = kept.rbegin(); axis != kept.rend(); ++axis) {
    out.strides[*axis] = stride;
    stride *= view.dims[*axis];
  }
  for (const int axis : axes) out.dims[axis] = 1, out.strides[axis] = 1;
  return out;
}

View without(const View& view, const std::vector<int>& axes) {
  View out{view.base, view.kind, {}, {}, view.offset};
  for (int axis = 0; axis < view.dims.size(); ++axis) {
    if (holds(axes, axis)) continue;
    out.dims.push_back(view.dims[axis]), out.strides.push_back(view.strides[axis]);
  }
  return out;
}

bool is_average_of_image(const Lowering& l, const View& view, const std::vector<int>& axes, ReduceKind kind) {
  if (kind != ReduceKind::mean || view.dims.size() != 4 || axes.size() != 2 || !holds(axes, 2) || !holds(axes, 3)) {
    return false;
  }
  return is_stored(view, image_order(4), l.elements(view.base)) &&
         image_dims(l.extents_of_value(view.base)) == view.dims;
}

Status define_reduced(Lowering& l, const IrNode& node, const std::vector<int>& axes, ReduceKind kind, Kind result) {
  auto view = l.view(node, 0);
  if (view && view->offset != 0) view = l.compact(node, *view);
  if (!view) return view.error();
  Order kept;
  ReduceAttrs attrs = walk(*view, axes, kept);
  attrs.kind = kind;
  attrs.select_last = node.int_or("select_last_index", 0) != 0;
  attrs.shape = four_extents(attrs.out_dims);
  const bool average = is_average_of_image(l, *view, axes, kind);
  if (average) attrs.shape = {view->dims[0], 1, 1, view->dims[1]};
  const auto out = l.add(node, average ? Attrs(GlobalAveragePoolAttrs{}) : Attrs(attrs), {view->base});
  if (!out) return out.error();
  const View whole = kept_view(*view, axes, kept, *out, result);
  l.define(node, node.int_or("keepdims", 1) != 0 ? whole : without(whole, axes));
  return {};
}

/// The order of memory with the axis last.
Order with_last(const View& view, int axis) {
  Order order = memory_order(view);
  std::erase(order, axis);
  order.push_back(axis);
  return order;
}

/// The view's numbers with the axis as channels; `order` says how the others are walked.
Result<ValueId> along_channels(Lowering& l, const IrNode& node, const View& view, const Order& order) {
  return l.value_in(node, view, order, four_extents(permuted(view.dims, order)));
}

/// Before opset 13 everything from the axis on is one axis.
Result<View> softmax_input(Lowering& l, const IrNode& node, int& axis) {
  auto view = l.view(node, 0);
  if (!view) return view;
  const auto given = axis_of(node, node.int_or("axis", l.opset() < 13 ? 1 : -1), std::max(view->dims.size(), 1));
  if (!given) return given.error();
  axis = *given;
  if (l.opset() >= 13) return view;
  const Dims rows{product(view->dims, 0, axis), product(view->dims, axis, view->dims.size())};
  axis = 1;
  if (const auto direct = reshaped(*view, rows)) return *direct;
  const auto straight = l.stored(node, *view, natural_order(view->dims.size()));
  if (!straight) return straight;
  return *reshaped(*straight, rows);
}

}  // namespace

Status lower_reduce(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto axes = reduced_axes(l, node, view->dims.size());
  if (!axes) return axes.error();
  if (axes->empty()) {
    l.define(node, *view);
    return {};
  }
  return define_reduced(l, node, *axes, kind_of_op(node), view->kind);
}

Status lower_arg(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto axis = axis_of(node, node.int_or("axis", 0), view->dims.size());
  if (!axis) return axis.error();
  return define_reduced(l, node, {*axis}, kind_of_op(node), Kind::integer);
}

Status lower_softmax(Lowering& l, const IrNode& node) {
  const auto original = l.view(node, 0);
  if (!original) return original.error();
  int axis = 0;
  const auto view = softmax_input(l, node, axis);
  if (!view) return view.error();
  const Order order = with_last(*view, axis);
  const auto input = along_channels(l, node, *view, order);
  if (!input) return input.error();
  const bool log = node.op == "LogSoftmax";
  auto out = l.add(node, SoftmaxAttrs{}, {*input}, log ? "softmax" : "");
  if (out && log) out = l.add(node, UnaryAttrs{UnaryKind::log}, {*out});
  if (!out) return out.error();
  const auto as_before = reshaped(whole(*out, Kind::real, view->dims, order), original->dims);
  if (!as_before) return misfit(node, "cannot give ", shown(original->dims), " back");  // not reached: order is rows
  l.define(node, *as_before);
  return {};
}

Status lower_top_k(Lowering& l, const IrNode& node) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  const auto axis = axis_of(node, node.int_or("axis", -1), view->dims.size());
  if (!axis) return axis.error();
  std::int64_t k = node.int_or("k", 0);
  if (l.opset() >= 10) {
    const auto given = l.integers(node, 1);
    if (!given) return given.error();
    if (!*given || (*given)->size() != 1) return misfit(node, "K is not one number");
    k = (**given)[0];
  }
  if (k < 1 || k > view->dims[*axis]) return misfit(node, "K is ", k, ", want 1 to ", view->dims[*axis]);
  const Order order = with_last(*view, *axis);
  const auto input = along_channels(l, node, *view, order);
  if (!input) return input.error();
  Dims dims = view->dims;
  dims[*axis] = k;
  const bool largest = node.int_or("largest", 1) != 0;
  for (const bool indices : {false, true}) {
    const std::size_t output = indices ? 1 : 0;
    if (output >= node.outputs.size() || node.outputs[output] == kAbsent) continue;
    const auto out = l.add(node, TopKAttrs{k, largest, indices}, {*input}, indices ? "indices" : "");
    if (!out) return out.error();
    l.define(node, whole(*out, indices ? Kind::integer : view->kind, dims, order), output);
  }
  return {};
}

}  // namespace tessera::onnx
