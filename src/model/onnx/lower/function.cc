// Functions of one number, on the numbers as they lie in memory.

#include <algorithm>
#include <limits>
#include <variant>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

struct Function {
  std::string_view op;
  std::variant<Activation, UnaryKind> kind;
  float alpha = 0, beta = 0;  ///< what the attributes of these names are without a word
};
constexpr Function kFunctions[] = {
    {"Abs", UnaryKind::abs},
    {"Ceil", UnaryKind::ceil},
    {"Cos", UnaryKind::cos},
    {"Elu", UnaryKind::elu, 1.0f},
    {"Erf", UnaryKind::erf},
    {"Exp", UnaryKind::exp},
    {"Floor", UnaryKind::floor},
    {"Gelu", UnaryKind::gelu},
    {"HardSigmoid", UnaryKind::hard_sigmoid, 0.2f, 0.5f},
    {"HardSwish", Activation::hard_swish},
    {"LeakyRelu", Activation::leaky, 0.01f},
    {"Log", UnaryKind::log},
    {"Mish", Activation::mish},
    {"Neg", UnaryKind::neg},
    {"Not", UnaryKind::not_},
    {"Reciprocal", UnaryKind::reciprocal},
    {"Relu", Activation::relu},
    {"Round", UnaryKind::round},
    {"Sigmoid", Activation::logistic},
    {"Sign", UnaryKind::sign},
    {"Sin", UnaryKind::sin},
    {"Softplus", UnaryKind::softplus},
    {"Sqrt", UnaryKind::sqrt},
    {"Tanh", Activation::tanh},
};
static_assert(std::ranges::is_sorted(kFunctions, std::ranges::less{}, &Function::op));

Attrs attrs_of(const IrNode& node, const Function& function) {
  const float alpha = node.float_or("alpha", function.alpha), beta = node.float_or("beta", function.beta);
  if (const auto* activation = std::get_if<Activation>(&function.kind)) return ActivationAttrs{{*activation, alpha}};
  UnaryKind kind = std::get<UnaryKind>(function.kind);
  if (kind == UnaryKind::gelu && node.string_or("approximate", "none") == "tanh") kind = UnaryKind::gelu_tanh;
  return UnaryAttrs{kind, alpha, beta};
}

/// f of every number, where it lies.
Result<View> applied(Lowering& l, const IrNode& node, View view, Attrs attrs, std::string_view part = {}) {
  auto input = l.compact(node, view);
  if (!input) return input;
  const auto out = l.add(node, std::move(attrs), {input->base}, part);
  if (!out) return out.error();
  input->base = *out;
  return input;
}

Status define_applied(Lowering& l, const IrNode& node, Attrs attrs, std::optional<Kind> kind = {}) {
  const auto view = l.view(node, 0);
  if (!view) return view.error();
  auto out = applied(l, node, *view, std::move(attrs));
  if (!out) return out.error();
  if (kind) out->kind = *kind;
  l.define(node, *out);
  return {};
}

/// A bound of Clip: an attribute before opset 11, then an optional input of one number.
Result<float> bound(const Lowering& l, const IrNode& node, const char* key, std::size_t input, float fallback) {
  if (l.opset() < 11)
    return std::clamp(node.float_or(key, fallback), -std::numeric_limits<float>::max(),
                      std::numeric_limits<float>::max());
  if (node.input(input) == kAbsent) return fallback;
  const Tensor* tensor = l.constant(node, input);
  if (tensor == nullptr || tensor->size() != 1) return not_supported(node, key, " is not one number that is known");
  return std::clamp(static_cast<float>(tensor->at(0)), -std::numeric_limits<float>::max(),
                    std::numeric_limits<float>::max());
}

/// ONNX's numbers of element types, as far as they have a kind here.
std::optional<Kind> kind_of_type(std::int64_t type) {
  switch (type) {
    case 1:   // FLOAT
    case 10:  // FLOAT16
    case 11:  // DOUBLE
    case 16:  // BFLOAT16
      return Kind::real;
    case 9:
      return Kind::boolean;
    case 2:  // UINT8, INT8, UINT16, INT16, INT32, INT64, UINT32, UINT64
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 12:
    case 13:
      return Kind::integer;
    default:
      return std::nullopt;
  }
}

}  // namespace

Status lower_function(Lowering& l, const IrNode& node) {
  const auto* function = std::ranges::lower_bound(kFunctions, node.op, std::ranges::less{}, &Function::op);
  return define_applied(l, node, attrs_of(node, *function));
}

Status lower_clip(Lowering& l, const IrNode& node) {
  constexpr float kMost = std::numeric_limits<float>::max();
  const auto low = bound(l, node, "min", 1, -kMost), high = bound(l, node, "max", 2, kMost);
  if (!low) return low.error();
  if (!high) return high.error();
  if (*low == 0 && *high == 6) return define_applied(l, node, ActivationAttrs{{Activation::relu6}});
  if (*low == 0 && *high == kMost) return define_applied(l, node, ActivationAttrs{{Activation::relu}});
  return define_applied(l, node, UnaryAttrs{UnaryKind::clip, *low, *high});
}

Status lower_cast(Lowering& l, const IrNode& node) {
  const auto to = kind_of_type(node.int_or("to", 0));
  if (!to) return not_supported(node, "to element type ", node.int_or("to", 0));
  auto view = l.view(node, 0);
  if (!view) return view.error();
  if (*to == Kind::integer && view->kind == Kind::real) {
    return define_applied(l, node, UnaryAttrs{UnaryKind::truncate}, to);
  }
  if (*to == Kind::boolean && view->kind != Kind::boolean) {  // anything but 0 is true
    const auto none = applied(l, node, *view, UnaryAttrs{UnaryKind::not_}, "none");
    if (!none) return none.error();
    auto any = applied(l, node, *none, UnaryAttrs{UnaryKind::not_});
    if (!any) return any.error();
    any->kind = Kind::boolean;
    l.define(node, *any);
    return {};
  }
  view->kind = *to;
  l.define(node, *view);
  return {};
}

}  // namespace tessera::onnx
