// MatMul, Gemm and the 1x1 convolution: sums of products in double, rounded once.

#include <algorithm>

#include "base/checked.h"
#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/take.h"
#include "model/onnx/evaluate/walk.h"

namespace tessera::onnx {
namespace {

/// More multiplications are no shape arithmetic and no detector's tail: seconds would become hours.
constexpr std::int64_t kMaxProducts = std::int64_t{1} << 31;

/// sum over l of a[i * a_row + l * a_col] * b[l * b_row + j * b_col].
struct Product {
  std::int64_t m, k, n, a_row, a_col, b_row, b_col;
};

Status affordable(const Call& call, const Product& p, const Dims& batch) {
  const auto each =
      checked_mul(std::max<std::int64_t>(p.m, 1), std::max<std::int64_t>(p.k, 1), std::max<std::int64_t>(p.n, 1));
  const auto all = each ? checked_mul(*each, std::max<std::int64_t>(product(batch), 1)) : std::nullopt;
  if (all && *all <= kMaxProducts) return {};
  return Error{Code::limit_exceeded, text(called(call.node), ": more than ", kMaxProducts, " multiplications")};
}

/// Appends [m, n] sums, one row at a time; the row of sums stays in double until it is complete.
template <class T>
void multiply(const Product& p, const T* a, const T* b, std::vector<Wide<T>>& out) {
  for (std::int64_t i = 0; i < p.m; ++i) {
    const auto row = std::ssize(out);
    out.resize(out.size() + static_cast<std::size_t>(p.n));
    Wide<T>* sums = out.data() + row;
    for (std::int64_t l = 0; l < p.k; ++l) {
      const Wide<T> left = a[i * p.a_row + l * p.a_col];
      for (std::int64_t j = 0; j < p.n; ++j) {
        sums[j] = wrapping_add(sums[j], wrapping_mul(left, Wide<T>{b[l * p.b_row + j * p.b_col]}));
      }
    }
  }
}

template <class T>
std::vector<T> rounded(const std::vector<Wide<T>>& sums) {
  std::vector<T> out;
  out.reserve(sums.size());
  for (const Wide<T> sum : sums) out.push_back(static_cast<T>(sum));
  return out;
}

/// The axes before the last two.
Dims batch_of(const Dims& matrix) {
  Dims out;
  for (int i = 0; i + 2 < matrix.count; ++i) out.push_back(matrix[i]);
  return out;
}

template <class T>
Tensor matmul(const Tensor& a, const Tensor& b, const Product& p, const Dims& batch, const Dims& dims) {
  // Strides of the batch axes in matrices; an operand without numbers is not touched.
  const std::array strides{broadcast_strides(batch_of(a.dims), batch), broadcast_strides(batch_of(b.dims), batch)};
  std::vector<Wide<T>> sums;
  const auto x = numbers<T>(a), y = numbers<T>(b);
  walk(batch, strides,
       [&](const auto& at) { multiply<T>(p, x.data() + at[0] * p.m * p.k, y.data() + at[1] * p.k * p.n, sums); });
  return tensor_of(a.kind, dims, rounded<T>(sums));
}

template <class T>
Result<Outputs> gemm(const Call& call, const Product& p) {
  std::vector<Wide<T>> sums;
  multiply<T>(p, numbers<T>(call.input(0)).data(), numbers<T>(call.input(1)).data(), sums);
  const Dims dims{p.m, p.n};
  const float alpha = call.node.float_or("alpha", 1), beta = call.node.float_or("beta", 1);
  if (std::is_same_v<T, std::int64_t> && (alpha != 1 || beta != 1)) return not_supported(call.node, "scaled integers");
  for (auto& sum : sums) sum = wrapping_mul(sum, static_cast<Wide<T>>(alpha));
  if (const Tensor* c = call.optional(2); c != nullptr) {
    TESSERA_TRY(same_kind(call, call.input(0), *c));
    const auto joined = broadcast(call.node, dims, c->dims);
    if (!joined || *joined != dims) return misfit(call.node, "C ", shown(c->dims), " does not fit ", shown(dims));
    std::size_t i = 0;
    walk(dims, std::array{broadcast_strides(c->dims, dims)}, [&](const auto& at) {
      const Wide<T> term = numbers<T>(*c)[static_cast<std::size_t>(at[0])];
      sums[i] = wrapping_add(sums[i], wrapping_mul(term, static_cast<Wide<T>>(beta))), ++i;
    });
  }
  return Outputs{tensor_of(call.input(0).kind, dims, rounded<T>(sums))};
}

bool all_are(const std::vector<std::int64_t>* list, std::int64_t number) {
  return list == nullptr || std::ranges::count(*list, number) == std::ssize(*list);
}

Status check_pointwise(const Call& call) {
  const IrNode& node = call.node;
  const Dims &x = call.input(0).dims, &w = call.input(1).dims;
  const bool pointwise = x.count >= 3 && w.count == x.count && product(w, 2, w.count) == 1;
  if (!pointwise || node.int_or("group", 1) != 1 || !all_are(node.ints("pads"), 0) ||
      !all_are(node.ints("strides"), 1)) {
    return not_supported(node, "only a 1x1 convolution in one group, unpadded, is evaluated");
  }
  if (x[1] != w[1]) return misfit(node, "input has ", x[1], " channels, weights want ", w[1]);
  TESSERA_TRY(same_kind(call, call.input(0), call.input(1)));
  const Tensor* bias = call.optional(2);
  if (bias != nullptr && (!bias->is_real() || bias->size() != w[0])) return misfit(node, "bias does not fit weights");
  return {};
}

}  // namespace

Result<Outputs> evaluate_matmul(const Call& call) {
  Tensor a = call.input(0), b = call.input(1);
  TESSERA_TRY(same_kind(call, a, b));
  const bool row = a.dims.count == 1, column = b.dims.count == 1;
  if (row) a.dims = {1, a.dims[0]};
  if (column) b.dims = {b.dims[0], 1};
  if (a.dims.count < 2 || b.dims.count < 2) return misfit(call.node, "a scalar is no matrix");
  const std::int64_t m = a.dims[a.dims.count - 2], k = a.dims[a.dims.count - 1], n = b.dims[b.dims.count - 1];
  if (b.dims[b.dims.count - 2] != k) return misfit(call.node, shown(a.dims), " times ", shown(b.dims));
  const auto batch = broadcast(call.node, batch_of(a.dims), batch_of(b.dims));
  if (!batch) return batch.error();
  Dims dims = *batch;
  if (!row) dims.push_back(m);
  if (!column) dims.push_back(n);
  if (const auto room = room_for(call.node, dims); !room) return room.error();
  const Product p{m, k, n, k, 1, n, 1};
  TESSERA_TRY(affordable(call, p, *batch));
  return by_payload(
      a, [&](auto zero) -> Result<Outputs> { return Outputs{matmul<decltype(zero)>(a, b, p, *batch, dims)}; });
}

Result<Outputs> evaluate_gemm(const Call& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  TESSERA_TRY(same_kind(call, a, b));
  if (a.dims.count != 2 || b.dims.count != 2) return misfit(call.node, shown(a.dims), " times ", shown(b.dims));
  const bool ta = call.node.int_or("transA", 0) != 0, tb = call.node.int_or("transB", 0) != 0;
  const std::int64_t m = a.dims[ta ? 1 : 0], k = a.dims[ta ? 0 : 1], n = b.dims[tb ? 0 : 1];
  if (b.dims[tb ? 1 : 0] != k) return misfit(call.node, shown(a.dims), " times ", shown(b.dims));
  if (const auto room = room_for(call.node, {m, n}); !room) return room.error();
  const Product p{m, k, n, ta ? 1 : k, ta ? m : 1, tb ? 1 : n, tb ? k : 1};
  TESSERA_TRY(affordable(call, p, {}));
  return by_payload(a, [&](auto zero) { return gemm<decltype(zero)>(call, p); });
}

Result<Outputs> evaluate_conv(const Call& call) {
  TESSERA_TRY(check_pointwise(call));
  const Tensor &x = call.input(0), &w = call.input(1);
  Dims dims = x.dims;
  dims[1] = w.dims[0];
  if (const auto room = room_for(call.node, dims); !room) return room.error();
  const std::int64_t pixels = product(dims, 2, dims.count);
  const Product p{dims[1], x.dims[1], pixels, x.dims[1], 1, pixels, 1};
  TESSERA_TRY(affordable(call, p, {dims[0]}));
  std::vector<double> sums;
  for (std::int64_t image = 0; image < dims[0]; ++image) {
    multiply<float>(p, numbers<float>(w).data(), numbers<float>(x).data() + image * p.k * pixels, sums);
  }
  if (const Tensor* bias = call.optional(2); bias != nullptr) {
    const auto plane = static_cast<std::size_t>(pixels), channels = static_cast<std::size_t>(dims[1]);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += double{(*bias->reals)[i / plane % channels]};
  }
  return Outputs{real_tensor(dims, rounded<float>(sums))};
}

}  // namespace tessera::onnx
