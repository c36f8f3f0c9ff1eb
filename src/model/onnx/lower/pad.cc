#include <algorithm>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

struct Words {
  std::vector<std::int64_t> pads;
  std::optional<std::vector<std::int64_t>> axes;
  float value = 0;
};

/// Attributes before opset 11, then inputs.
Result<Words> words_of(const Lowering& l, const IrNode& node) {
  Words out;
  if (l.opset() < 11) {
    if (node.ints("pads") == nullptr) return misfit(node, "pads are missing");
    out.pads = *node.ints("pads");
    out.value = node.float_or("value", 0);
    return out;
  }
  const auto pads = l.integers(node, 1), axes = l.integers(node, 3);
  if (!pads) return pads.error();
  if (!axes) return axes.error();
  if (!*pads) return misfit(node, "pads are missing");
  out.pads = **pads;
  out.axes = *axes;
  if (node.input(2) == kAbsent) return out;
  const Tensor* value = l.constant(node, 2);
  if (value == nullptr || value->size() != 1) return not_supported(node, "the value is not one number that is known");
  out.value = static_cast<float>(value->at(0));
  return out;
}

Result<PadMode> mode_of(const IrNode& node) {
  const std::string mode = node.string_or("mode", "constant");
  if (mode == "constant") return PadMode::constant;
  if (mode == "reflect") return PadMode::reflect;
  if (mode == "edge") return PadMode::edge;
  return not_supported(node, "mode ", mode);
}

/// Axis `axis` of the tensor among the four of a value stored in `order`.
int place_of(const Order& order, int axis) {
  const auto at = static_cast<int>(std::ranges::find(order, axis) - order.begin());
  return at + 4 - static_cast<int>(order.size());
}

}  // namespace

Status lower_pad(Lowering& l, const IrNode& node) {
  auto view = l.view(node, 0);
  if (!view) return view.error();
  const int rank = view->dims.size();
  if (rank > 4) return not_supported(node, rank, " axes, at most 4");
  const auto words = words_of(l, node);
  const auto mode = mode_of(node);
  if (!words) return words.error();
  if (!mode) return mode.error();
  const auto axes = words->axes ? std::optional<std::span<const std::int64_t>>(*words->axes) : std::nullopt;
  const auto pads = pads_of(node, view->dims, words->pads, axes);
  if (!pads) return pads.error();
  const Order order = rank == 4 ? image_order(4) : natural_order(rank);
  PadAttrs attrs;
  attrs.mode = *mode;
  attrs.value = words->value;
  for (int axis = 0; axis < rank; ++axis) {  // what is cut off is a slice
    const std::int64_t cut = std::max<std::int64_t>(0, -pads->begin[axis]),
                       tail = std::max<std::int64_t>(0, -pads->end[axis]);
    if (cut + tail >= view->dims[axis]) return not_supported(node, "nothing is left of axis ", axis);
    *view = sliced(*view, axis, cut, 1, view->dims[axis] - cut - tail);
    attrs.begin[place_of(order, axis)] = std::max<std::int64_t>(0, pads->begin[axis]);
    attrs.end[place_of(order, axis)] = std::max<std::int64_t>(0, pads->end[axis]);
  }
  const auto input = l.value_in(node, *view, order, four_extents(permuted(view->dims, order)));
  if (!input) return input.error();
  const auto out = l.add(node, attrs, {*input});
  if (!out) return out.error();
  l.define_whole(node, *out, view->kind, pads->dims, order);
  return {};
}

}  // namespace tessera::onnx
