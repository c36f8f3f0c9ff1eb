#include "model/onnx/lower/lowering.h"

#include <cmath>

#include "graph/ops/ops.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

constexpr std::int64_t kExact = std::int64_t{1} << 24;  // integers up to here are exact in f32

Result<Constant> as_reals(const IrNode& node, const Tensor& tensor) {
  if (tensor.is_real()) return tensor.reals;
  std::vector<float> out;
  out.reserve(tensor.integers->size());
  for (const std::int64_t v : *tensor.integers) {
    if (v > kExact || v < -kExact) return not_supported(node, "an integer of ", v, ": the engine is exact up to 2^24");
    out.push_back(static_cast<float>(v));
  }
  return std::make_shared<const std::vector<float>>(std::move(out));
}

/// Channels [offset, offset + C) of an image: what a SliceAttrs says without copying.
bool is_channel_slice(const View& view, const Extents& base) {
  if (view.dims.size() != 4 || view.dims[0] != base.n || view.dims[2] != base.h || view.dims[3] != base.w) return false;
  const View like = whole(view.base, view.kind, image_dims(base), image_order(4));
  for (int axis = 0; axis < 4; ++axis) {
    if (view.dims[axis] != 1 && view.strides[axis] != like.strides[axis]) return false;
  }
  return view.offset >= 0 && view.offset + view.dims[1] <= base.c;
}

double numbers_in(const IrGraph& graph) {
  double sum = 0;
  for (const IrValue& value : graph.values) sum += value.constant ? static_cast<double>(value.constant->size()) : 0;
  for (const IrNode& node : graph.nodes) {
    for (const auto& [key, attribute] : node.attributes) {
      const auto* tensor = std::get_if<Tensor>(&attribute);
      sum += tensor != nullptr ? static_cast<double>(tensor->size()) : 0;
    }
  }
  return sum;
}

}  // namespace

// Casts, transposes and the engine's own order take each weight a few times; grids of anchors are small.
Lowering::Lowering(const IrGraph& from, Graph& to)
    : from_(from), to_(to), operands_(from.values.size()), left_(0x1p26 + 32 * numbers_in(from)) {}

Dims image_dims(const Extents& e) { return {e.n, e.c, e.h, e.w}; }
Extents extents_of(const Shape4& shape) { return {shape[0], shape[1], shape[2], shape[3]}; }

const Operand* Lowering::operand(int value) const {
  if (value == kAbsent) return nullptr;
  const auto& met = operands_[static_cast<std::size_t>(value)];
  return met ? &*met : nullptr;
}

const Tensor* Lowering::constant(const IrNode& node, std::size_t input) const {
  const Operand* operand = this->operand(node.input(input));
  return operand != nullptr ? std::get_if<Tensor>(operand) : nullptr;
}

Result<std::optional<std::vector<std::int64_t>>> Lowering::integers(const IrNode& node, std::size_t input) const {
  using Found = std::optional<std::vector<std::int64_t>>;
  if (node.input(input) == kAbsent) return Found{};
  const Tensor* tensor = constant(node, input);
  if (tensor == nullptr) {
    return not_supported(node, "input ", input,
                         " is computed from the picture; a network's shapes may not depend on it");
  }
  if (tensor->is_real()) return misfit(node, "input ", input, " holds reals, want integers");
  return Found(*tensor->integers);
}

Result<View> Lowering::view(const IrNode& node, std::size_t input) {
  const Operand* operand = this->operand(node.input(input));
  if (operand == nullptr) return misfit(node, "input ", input, " is missing");
  if (const auto* view = std::get_if<View>(operand)) return *view;
  const Tensor& tensor = std::get<Tensor>(*operand);
  const auto base = constant_value(node, input, tensor);
  if (!base) return base.error();
  return whole(*base, tensor.kind, tensor.dims, natural_order(tensor.dims.size()));
}

Result<ValueId> Lowering::constant_value(const IrNode& node, std::size_t input, const Tensor& tensor) {
  const int id = node.input(input);
  if (const auto known = constants_.find(id); known != constants_.end()) return known->second;
  if (tensor.size() == 0) return not_supported(node, "input ", input, " has no elements");
  const auto data = as_reals(node, tensor);
  if (!data) return data.error();
  const ConstantAttrs attrs{*data, four_extents(tensor.dims)};
  const ValueId value = to_.add(unique(from_.value(id).name), attrs, {});
  const auto extents = infer_node(to_.nodes.back(), {});
  if (!extents) return extents.error();
  to_.value(value).spec.shape = {extents->n, extents->h, extents->w, extents->c};
  constants_.emplace(id, value);
  return value;
}

Extents Lowering::extents_of_value(ValueId value) const { return extents(to_.value(value).spec); }

std::int64_t Lowering::elements(ValueId base) const {
  const Extents e = extents_of_value(base);
  return e.n * e.h * e.w * e.c;
}

Result<View> Lowering::stored(const IrNode& node, const View& view, const Order& order) {
  if (is_stored(view, order, elements(view.base))) return view;
  const auto base = value_in(node, view, order, four_extents(permuted(view.dims, order)));
  if (!base) return base.error();
  return whole(*base, view.kind, view.dims, order);
}

Result<View> Lowering::compact(const IrNode& node, const View& view) {
  if (covers(view, elements(view.base))) return view;
  return stored(node, view, memory_order(view));
}

Result<ValueId> Lowering::image(const IrNode& node, const View& view) {
  if (view.dims.size() != 4) return misfit(node, "wants [N, C, H, W], got ", shown(view.dims));
  return value_in(node, view, image_order(4), {view.dims[0], view.dims[2], view.dims[3], view.dims[1]});
}

Result<ValueId> Lowering::value_in(const IrNode& node, const View& view, const Order& order, const Shape4& shape) {
  const Extents base = extents(to_.value(view.base).spec);
  if (is_stored(view, order, elements(view.base))) {
    if (base == extents_of(shape)) return view.base;
    return add(node, ReshapeAttrs{shape}, {view.base}, "reshape");
  }
  const Extents wanted = extents_of(shape);
  if (order == image_order(4) && wanted == Extents{view.dims[0], view.dims[2], view.dims[3], view.dims[1]} &&
      is_channel_slice(view, base)) {
    return add(node, SliceAttrs{view.offset, view.dims[1]}, {view.base}, "slice");
  }
  const RearrangeAttrs attrs{permuted(view.dims, order), permuted(view.strides, order), view.offset, shape};
  return add(node, attrs, {view.base}, "rearrange");
}

Result<ValueId> Lowering::add(const IrNode& node, Attrs attrs, std::vector<ValueId> inputs, std::string_view part) {
  std::string name = node.outputs.empty() || node.outputs[0] == kAbsent ? node.name : from_.value(node.outputs[0]).name;
  if (!part.empty()) append_text(name, text('.', part));
  std::vector<Extents> shapes;
  for (const ValueId id : inputs) shapes.push_back(extents(to_.value(id).spec));
  const ValueId value = to_.add(unique(std::move(name)), std::move(attrs), std::move(inputs));
  const auto out = infer_node(to_.nodes.back(), shapes);
  if (!out) return out.error();
  to_.value(value).spec.shape = {out->n, out->h, out->w, out->c};
  return value;
}

Status Lowering::spend(const IrNode& node, double numbers) {
  left_ -= numbers;
  if (left_ >= 0) return {};
  return Error{
      Code::limit_exceeded,
      text(called(node), ": its constants and those before it take more work than a file of this size may ask for")};
}

void Lowering::define(const IrNode& node, Operand operand, std::size_t output) {
  if (output < node.outputs.size() && node.outputs[output] != kAbsent) set(node.outputs[output], std::move(operand));
}

void Lowering::define_whole(const IrNode& node, ValueId base, Kind kind, const Dims& dims, const Order& order) {
  define(node, whole(base, kind, dims, order));
}

std::string Lowering::unique(std::string name) {
  if (name.empty()) name = "unnamed";
  int& copy = names_[name];
  if (++copy == 1) return name;
  std::string out = text(name, '~', copy);
  while (!names_.try_emplace(out, 1).second) out = text(name, '~', ++copy);
  return out;
}

}  // namespace tessera::onnx
