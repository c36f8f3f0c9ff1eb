#include "graph/passes/match.h"

#include <algorithm>
#include <cmath>

namespace tessera::match {
namespace {

constexpr int kMaxDepth = 6;
constexpr std::size_t kMaxFactors = 8;
constexpr std::size_t kMaxCopies = 4096;  // of a number that an exporter spread over channels; more is data

/// The number that all elements of a constant are.
std::optional<float> number_of(const Graph& graph, ValueId id) {
  const auto* constant = std::get_if<ConstantAttrs>(&graph.producer(id).attrs);
  if (!constant || !constant->data) return std::nullopt;
  if (constant->data->empty() || constant->data->size() > kMaxCopies) return std::nullopt;
  const float first = constant->data->front();
  const bool same = std::ranges::all_of(*constant->data, [first](float v) { return v == first; });
  return same ? std::optional(first) : std::nullopt;
}

/// Whether walking dims with strides visits each of `count` elements once, in order.
bool is_plain(const Dims& dims, const Dims& strides, std::int64_t count) {
  std::int64_t stride = 1;
  for (int axis = dims.size(); axis-- > 0;) {
    if (dims[axis] != 1 && strides[axis] != stride) return false;
    stride *= dims[axis];
  }
  return stride == count;
}

std::int64_t elements(const Graph& graph, ValueId id) {
  const Extents e = extents(graph.value(id).spec);
  return e.n * e.h * e.w * e.c;
}

/// A binary operator whose operands are numbers, or values of the result's shape in its order.
const BinaryAttrs* plain_binary(const Graph& graph, ValueId id) {
  const Node& node = graph.producer(id);
  const auto* binary = std::get_if<BinaryAttrs>(&node.attrs);
  if (!binary || binary->act.kind != Activation::linear) return nullptr;
  const auto fits = [&](ValueId operand, const Dims& strides) {
    if (number_of(graph, operand)) return true;
    const std::int64_t count = elements(graph, id);
    return graph.value(operand).spec.shape == graph.value(id).spec.shape && is_plain(binary->dims, strides, count);
  };
  return fits(node.inputs[0], binary->a_strides) && fits(node.inputs[1], binary->b_strides) ? binary : nullptr;
}

bool same_shapes(const Graph& graph, const Node& node) {
  return node.inputs.size() == 2 && graph.value(node.inputs[0]).spec.shape == graph.value(node.inputs[1]).spec.shape;
}

/// Whether `id` is a product that `product` can take apart; `divided` when its second operand divides.
bool is_product(const Graph& graph, ValueId id, bool& divided) {
  const Node& node = graph.producer(id);
  divided = false;
  if (const auto* mul = std::get_if<MulAttrs>(&node.attrs)) {
    return mul->act.kind == Activation::linear && same_shapes(graph, node);
  }
  const BinaryAttrs* binary = plain_binary(graph, id);
  if (!binary) return false;
  divided = binary->kind == BinaryKind::div;
  return binary->kind == BinaryKind::mul || (divided && number_of(graph, node.inputs[1]).value_or(0) != 0);
}

void multiply(const Graph& graph, ValueId id, ValueId whole, int depth, Product& out) {
  if (const auto number = number_of(graph, id)) {
    out.number *= *number;
    return;
  }
  bool divided = false;
  if (id == whole || depth == 0 || out.values.size() >= kMaxFactors || !is_product(graph, id, divided)) {
    out.values.push_back(id);
    return;
  }
  const Node& node = graph.producer(id);
  multiply(graph, node.inputs[0], whole, depth - 1, out);
  if (divided) {
    out.number /= *number_of(graph, node.inputs[1]);
  } else {
    multiply(graph, node.inputs[1], whole, depth - 1, out);
  }
}

}  // namespace

Product product(const Graph& graph, ValueId id, ValueId whole) {
  Product out;
  multiply(graph, id, whole, kMaxDepth, out);
  return out;
}

std::optional<Scaled> scaled(const Graph& graph, ValueId id) {
  bool divided = false;
  if (!is_product(graph, id, divided)) return std::nullopt;
  const std::vector<ValueId>& in = graph.producer(id).inputs;
  const auto a = number_of(graph, in[0]), b = number_of(graph, in[1]);
  if (a.has_value() == b.has_value()) return std::nullopt;
  return b ? Scaled{in[0], divided ? 1 / *b : *b} : Scaled{in[1], *a};
}

std::optional<Shifted> shifted(const Graph& graph, ValueId id) {
  const BinaryAttrs* binary = plain_binary(graph, id);
  if (!binary) return std::nullopt;
  const std::vector<ValueId>& in = graph.producer(id).inputs;
  const auto a = number_of(graph, in[0]), b = number_of(graph, in[1]);
  if (binary->kind == BinaryKind::add && a.has_value() != b.has_value()) {
    return b ? Shifted{in[0], *b} : Shifted{in[1], *a};
  }
  if (binary->kind == BinaryKind::sub && b && !a) return Shifted{in[0], -*b};
  return std::nullopt;
}

std::optional<Sum> sum(const Graph& graph, ValueId id) {
  const Node& node = graph.producer(id);
  const auto* add = std::get_if<AddAttrs>(&node.attrs);
  const bool plain_add = add && add->act.kind == Activation::linear && same_shapes(graph, node);
  const BinaryAttrs* binary = plain_binary(graph, id);
  if (!plain_add && !(binary && binary->kind == BinaryKind::add)) return std::nullopt;
  return Sum{node.inputs[0], node.inputs[1]};
}

ValueId unary(const Graph& graph, ValueId id, UnaryKind kind) {
  const Node& node = graph.producer(id);
  const auto* attrs = std::get_if<UnaryAttrs>(&node.attrs);
  return attrs && attrs->kind == kind ? node.inputs[0] : kNone;
}

ValueId unary(const Graph& graph, ValueId id, UnaryKind kind, float alpha, float beta) {
  const auto* attrs = std::get_if<UnaryAttrs>(&graph.producer(id).attrs);
  return attrs && near(attrs->alpha, alpha) && near(attrs->beta, beta) ? unary(graph, id, kind) : kNone;
}

ValueId activation(const Graph& graph, ValueId id, Activation kind) {
  const Node& node = graph.producer(id);
  const auto* attrs = std::get_if<ActivationAttrs>(&node.attrs);
  return attrs && attrs->act.kind == kind ? node.inputs[0] : kNone;
}

ValueId power(const Graph& graph, ValueId id, float exponent) {
  const BinaryAttrs* binary = plain_binary(graph, id);
  if (!binary || binary->kind != BinaryKind::pow) return kNone;
  const std::vector<ValueId>& in = graph.producer(id).inputs;
  return number_of(graph, in[1]) == exponent && !number_of(graph, in[0]) ? in[0] : kNone;
}

// One ulp for the exporter's rounding and one for ours, on either side: 4 * 2^-23.
bool near(float a, float b) { return std::abs(a - b) <= 4 * 0x1p-23f * std::abs(b); }

}  // namespace tessera::match
