// MatMul and Gemm. With known weights they are 1x1 convolutions, the engine's best-kept product.

#include <algorithm>

#include "model/onnx/lower/operators.h"
#include "model/onnx/shapes.h"

namespace tessera::onnx {
namespace {

/// [k][n], or [n][k] when transposed, as a 1x1 convolution's [n][k], times `scale`.
Constant as_weights(const Tensor& b, bool transposed, float scale) {
  const std::int64_t n = b.dims[transposed ? 0 : 1], k = b.dims[transposed ? 1 : 0];
  if (transposed && scale == 1) return b.reals;
  std::vector<float> out(static_cast<std::size_t>(n * k));
  for (std::int64_t row = 0; row < n; ++row) {
    for (std::int64_t i = 0; i < k; ++i) {
      const std::int64_t from = transposed ? row * k + i : i * n + row;
      out[static_cast<std::size_t>(row * k + i)] = scale * (*b.reals)[static_cast<std::size_t>(from)];
    }
  }
  return std::make_shared<const std::vector<float>>(std::move(out));
}

/// [..., m, k] times weights: the rows are pixels, k is channels.
Status define_pointwise(Lowering& l, const IrNode& node, const View& a, std::int64_t n, Constant weights,
                        Constant bias) {
  const int rank = a.dims.size();
  const std::int64_t k = a.dims[rank - 1];
  TESSERA_TRY(l.spend(node, static_cast<double>(n * k)));  // the weights in the engine's order
  const auto input = l.value_in(node, a, natural_order(rank), {1, 1, product(a.dims, 0, rank - 1), k});
  if (!input) return input.error();
  ConvAttrs conv;
  conv.oc = static_cast<int>(n);
  conv.weights = std::move(weights);
  conv.bias = std::move(bias);
  const auto out = l.add(node, std::move(conv), {*input});
  if (!out) return out.error();
  Dims dims = a.dims;
  dims[rank - 1] = n;
  l.define_whole(node, *out, Kind::real, dims, natural_order(rank));
  return {};
}

bool known_matrix(const Tensor* tensor) {
  return tensor != nullptr && tensor->is_real() && tensor->dims.size() == 2 && tensor->size() > 0 &&
         tensor->dims[0] <= (1 << 20) && tensor->dims[1] <= (1 << 20);
}

/// Extents of the batch axes, and the strides with which an operand of row-major numbers walks them.
Dims batch_strides(const Dims& operand, const Dims& batch) {
  Dims out = batch;
  std::int64_t stride = operand[operand.size() - 2] * operand[operand.size() - 1];
  for (int i = 1; i <= batch.size(); ++i) {
    const int axis = operand.size() - 2 - i;
    const bool there = axis >= 0 && operand[axis] != 1;
    out[batch.size() - i] = there ? stride : 0;
    if (axis >= 0) stride *= operand[axis];
  }
  return out;
}

Dims batch_of(const Dims& dims) {
  Dims out;
  for (int i = 0; i + 2 < dims.size(); ++i) out.push_back(dims[i]);
  return out;
}

/// Rank 1 is a row on the left, a column on the right.
View at_least_matrix(const View& view, bool left) {
  if (view.dims.size() != 1) return view;
  const Dims dims = left ? Dims{1, view.dims[0]} : Dims{view.dims[0], 1};
  return *reshaped(view, dims);
}

Status define_general(Lowering& l, const IrNode& node, const View& a_given, const View& b_given) {
  const View a_view = at_least_matrix(a_given, true), b_view = at_least_matrix(b_given, false);
  if (a_view.dims.size() < 2 || b_view.dims.size() < 2) return misfit(node, "wants matrices");
  const auto a = l.stored(node, a_view, natural_order(a_view.dims.size()));
  const auto b = l.stored(node, b_view, natural_order(b_view.dims.size()));
  if (!a) return a.error();
  if (!b) return b.error();
  const auto batch = broadcast(node, batch_of(a->dims), batch_of(b->dims));
  if (!batch) return batch.error();
  MatMulAttrs attrs;
  attrs.m = a->dims[a->dims.size() - 2], attrs.k = a->dims[a->dims.size() - 1], attrs.n = b->dims[b->dims.size() - 1];
  if (b->dims[b->dims.size() - 2] != attrs.k) return misfit(node, shown(a->dims), " times ", shown(b->dims));
  attrs.batch = *batch;
  attrs.a_strides = batch_strides(a->dims, *batch), attrs.b_strides = batch_strides(b->dims, *batch);
  Dims dims = *batch, logical = *batch;
  dims.push_back(attrs.m), dims.push_back(attrs.n);
  if (a_given.dims.size() > 1) logical.push_back(attrs.m);
  if (b_given.dims.size() > 1) logical.push_back(attrs.n);
  attrs.shape = four_extents(dims);
  if (attrs.batch.size() == 0) attrs.batch = {1}, attrs.a_strides = {0}, attrs.b_strides = {0};
  const auto out = l.add(node, attrs, {a->base, b->base});
  if (!out) return out.error();
  l.define_whole(node, *out, Kind::real, logical, natural_order(logical.size()));
  return {};
}

/// beta * C as one number per column, when it is known and the same for every row.
Result<std::optional<Constant>> gemm_bias(const Lowering& l, const IrNode& node, std::int64_t n) {
  if (node.input(2) == kAbsent) return std::optional(Constant());
  const Tensor* c = l.constant(node, 2);
  if (c == nullptr || !c->is_real() || (c->size() != n && c->size() != 1)) return std::optional<Constant>();
  if (c->dims.size() == 2 && c->dims[0] != 1) return std::optional<Constant>();
  std::vector<float> out(static_cast<std::size_t>(n));
  const float beta = node.float_or("beta", 1);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = beta * (*c->reals)[c->size() == 1 ? 0 : i];
  return std::optional(Constant(std::make_shared<const std::vector<float>>(std::move(out))));
}

}  // namespace

Status lower_matmul(Lowering& l, const IrNode& node) {
  const auto a = l.view(node, 0);
  if (!a) return a.error();
  const Tensor* b = l.constant(node, 1);
  if (known_matrix(b) && a->dims.size() >= 2) {
    if (a->dims[a->dims.size() - 1] != b->dims[0]) return misfit(node, shown(a->dims), " times ", shown(b->dims));
    return define_pointwise(l, node, *a, b->dims[1], as_weights(*b, false, 1), nullptr);
  }
  const auto right = l.view(node, 1);
  if (!right) return right.error();
  return define_general(l, node, *a, *right);
}

Status lower_gemm(Lowering& l, const IrNode& node) {
  auto a = l.view(node, 0);
  if (!a) return a.error();
  if (a->dims.size() != 2) return misfit(node, "A is ", shown(a->dims), ", want a matrix");
  if (node.int_or("transA", 0) != 0) a = transposed(*a, Order{1, 0});
  const Tensor* b = l.constant(node, 1);
  if (!known_matrix(b)) return not_supported(node, "B is not a matrix that is known");
  const bool flipped = node.int_or("transB", 0) != 0;
  const std::int64_t k = b->dims[flipped ? 1 : 0], n = b->dims[flipped ? 0 : 1];
  if (a->dims[1] != k) return misfit(node, shown(a->dims), " times ", shown(b->dims));
  const auto bias = gemm_bias(l, node, n);
  if (!bias) return bias.error();
  if (!*bias) return not_supported(node, "C is not one known number per column");
  return define_pointwise(l, node, *a, n, as_weights(*b, flipped, node.float_or("alpha", 1)), **bias);
}

}  // namespace tessera::onnx
