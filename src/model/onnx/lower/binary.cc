// Functions of two numbers with NumPy's broadcasting, and of more by folding from the left.

#include <algorithm>

#include "graph/ops/ops.h"
#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

struct Function {
  std::string_view op;
  BinaryKind kind;
  bool truth = false;  ///< gives truth values
  bool many = false;   ///< of any number of inputs
};
constexpr Function kFunctions[] = {
    {"Add", BinaryKind::add},
    {"And", BinaryKind::and_, true},
    {"Div", BinaryKind::div},
    {"Equal", BinaryKind::equal, true},
    {"Greater", BinaryKind::greater, true},
    {"GreaterOrEqual", BinaryKind::greater_equal, true},
    {"Less", BinaryKind::less, true},
    {"LessOrEqual", BinaryKind::less_equal, true},
    {"Max", BinaryKind::max, false, true},
    {"Min", BinaryKind::min, false, true},
    {"Mod", BinaryKind::mod},
    {"Mul", BinaryKind::mul},
    {"Or", BinaryKind::or_, true},
    {"PRelu", BinaryKind::prelu},
    {"Pow", BinaryKind::pow},
    {"Sub", BinaryKind::sub},
    {"Sum", BinaryKind::add, false, true},
    {"Xor", BinaryKind::xor_, true},
};
static_assert(std::ranges::is_sorted(kFunctions, std::ranges::less{}, &Function::op));

/// Two windows that see the same places of values of the same extents.
bool same_places(const Lowering& l, const View& a, const View& b) {
  return a.dims == b.dims && a.strides == b.strides && l.extents_of_value(a.base) == l.extents_of_value(b.base) &&
         covers(a, l.elements(a.base)) && covers(b, l.elements(b.base));
}

/// An image and one number per channel of each of its images: [N, C, H, W] and [N, C, 1, 1], both as images lie.
bool per_channel(const Lowering& l, const View& image, const View& factors) {
  if (image.dims.size() != 4 || factors.dims != Dims{image.dims[0], image.dims[1], 1, 1}) return false;
  const Extents e = l.extents_of_value(image.base), f = l.extents_of_value(factors.base);
  return is_stored(image, image_order(4), l.elements(image.base)) && image_dims(e) == image.dims &&
         is_stored(factors, image_order(4), l.elements(factors.base)) && image_dims(f) == factors.dims;
}

/// A window without an offset and without steps backwards, as BinaryAttrs and SelectAttrs walk them.
Result<View> walkable(Lowering& l, const IrNode& node, const View& view) {
  const bool forward = std::all_of(view.strides.begin(), view.strides.end(), [](std::int64_t s) { return s >= 0; });
  return view.offset == 0 && forward ? Result<View>(view) : l.compact(node, view);
}

/// The order in which the result is best stored: as an operand that has all of its elements.
Order result_order(const Dims& dims, std::span<const View> operands) {
  for (const View& view : operands) {
    if (view.dims == dims) return memory_order(view);
  }
  return natural_order(dims.size());
}

Result<View> general(Lowering& l, const IrNode& node, BinaryKind kind, const View& a, const View& b, const Dims& dims,
                     std::string_view part) {
  const auto left = walkable(l, node, a), right = walkable(l, node, b);
  if (!left) return left;
  if (!right) return right;
  const View operands[] = {*left, *right};
  const Order order = result_order(dims, operands);
  BinaryAttrs attrs;
  attrs.kind = kind;
  attrs.dims = permuted(dims, order);
  attrs.a_strides = permuted(expanded(*left, dims).strides, order);
  attrs.b_strides = permuted(expanded(*right, dims).strides, order);
  attrs.shape = four_extents(attrs.dims);
  const auto out = l.add(node, attrs, {left->base, right->base}, part);
  if (!out) return out.error();
  return whole(*out, a.kind, dims, order);
}

Result<View> combined(Lowering& l, const IrNode& node, BinaryKind kind, const View& a, const View& b,
                      std::string_view part) {
  const auto dims = broadcast(node, a.dims, b.dims);
  if (!dims) return dims.error();
  const bool same = same_places(l, a, b);
  std::optional<Attrs> attrs;
  if (same && kind == BinaryKind::add) attrs = AddAttrs{};
  if (same && kind == BinaryKind::mul) attrs = MulAttrs{};
  if (kind == BinaryKind::mul && per_channel(l, a, b)) attrs = MulAttrs{};
  if (!attrs && kind == BinaryKind::mul && per_channel(l, b, a)) return combined(l, node, kind, b, a, part);
  if (!attrs) return general(l, node, kind, a, b, *dims, part);
  const auto out = l.add(node, *attrs, {a.base, b.base}, part);
  if (!out) return out.error();
  View result = a;
  result.base = *out;
  return result;
}

BinaryKind kind_for(const IrNode& node, const Function& function, const View& a) {
  if (function.kind == BinaryKind::div && a.kind != Kind::real) return BinaryKind::int_div;
  if (function.kind == BinaryKind::mod && node.int_or("fmod", 0) != 0) return BinaryKind::fmod;
  return function.kind;
}

}  // namespace

Status lower_binary(Lowering& l, const IrNode& node) {
  const auto* function = std::ranges::lower_bound(kFunctions, node.op, std::ranges::less{}, &Function::op);
  if (!function->many && node.inputs.size() != 2) return misfit(node, node.inputs.size(), " inputs, want 2");
  auto result = l.view(node, 0);
  for (std::size_t i = 1; result && i < node.inputs.size(); ++i) {
    const auto next = l.view(node, i);
    if (!next) return next.error();
    const std::string part = i + 1 == node.inputs.size() ? "" : text("first", i + 1);
    result = combined(l, node, kind_for(node, *function, *result), *result, *next, part);
  }
  if (!result) return result.error();
  if (function->truth) result->kind = Kind::boolean;
  l.define(node, *result);
  return {};
}

Status lower_where(Lowering& l, const IrNode& node) {
  std::vector<View> views;
  Dims dims;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto view = l.view(node, i);
    if (!view) return view.error();
    const auto straight = walkable(l, node, *view);
    if (!straight) return straight.error();
    const auto both = broadcast(node, dims, straight->dims);
    if (!both) return both.error();
    dims = *both;
    views.push_back(*straight);
  }
  const Order order = result_order(dims, views);
  SelectAttrs attrs;
  attrs.dims = permuted(dims, order);
  attrs.c_strides = permuted(expanded(views[0], dims).strides, order);
  attrs.a_strides = permuted(expanded(views[1], dims).strides, order);
  attrs.b_strides = permuted(expanded(views[2], dims).strides, order);
  attrs.shape = four_extents(attrs.dims);
  const auto out = l.add(node, attrs, {views[0].base, views[1].base, views[2].base});
  if (!out) return out.error();
  l.define_whole(node, *out, views[1].kind, dims, order);
  return {};
}

}  // namespace tessera::onnx
