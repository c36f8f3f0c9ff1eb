// TopK and NonZero: positions by value.

#include <algorithm>
#include <numeric>

#include "model/onnx/evaluate/lines.h"
#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/take.h"

namespace tessera::onnx {
namespace {

/// How many, and of which lines.
struct Wish {
  std::int64_t k = 0;
  int axis = 0;
};

Result<Wish> wish_of(const Call& call) {
  Wish wish;
  const Dims& dims = call.input(0).dims;
  if (const Tensor* given = call.optional(1); given != nullptr) {
    if (given->kind != Kind::integer || given->size() != 1) return misfit(call.node, "k is not one integer");
    wish.k = (*given->integers)[0];
  } else if (call.node.has("k")) {
    wish.k = call.node.int_or("k", 0);
  } else {
    return misfit(call.node, "no k");
  }
  const auto axis = axis_of(call.node, call.node.int_or("axis", -1), dims.count);
  if (!axis) return axis.error();
  wish.axis = *axis;
  if (wish.k < 0 || wish.k > dims[*axis]) return misfit(call.node, "k is ", wish.k, ", the axis has ", dims[*axis]);
  return wish;
}

/// Largest (or smallest) first, NaN as the largest, the lower index first among equals: an order of all indices.
template <class T>
struct Before {
  std::span<const T> x;
  const Lines& lines;
  std::int64_t begin;
  bool largest;

  bool operator()(std::int64_t i, std::int64_t j) const {
    const T a = x[lines.at(begin, i)], b = x[lines.at(begin, j)];
    const bool a_above = a > b || (a != a && b == b), b_above = b > a || (b != b && a == a);
    return a_above != b_above ? a_above == largest : i < j;
  }
};

template <class T>
Outputs top(const Call& call, const Wish& wish) {
  const Tensor& x = call.input(0);
  const Lines lines(x.dims, wish.axis, wish.axis + 1);
  Dims dims = x.dims;
  dims[wish.axis] = wish.k;
  std::vector<T> values(static_cast<std::size_t>(product(dims)));
  IntegerList indices(values.size()), order(static_cast<std::size_t>(lines.count));
  const Lines out(dims, wish.axis, wish.axis + 1);
  lines.each([&](std::int64_t begin, std::int64_t line) {
    std::iota(order.begin(), order.end(), 0);
    const Before<T> before{numbers<T>(x), lines, begin, call.node.int_or("largest", 1) != 0};
    std::partial_sort(order.begin(), order.begin() + wish.k, order.end(), before);
    const std::int64_t to = line / out.stride * out.count * out.stride + line % out.stride;
    for (std::int64_t i = 0; i < wish.k; ++i) {
      const std::int64_t index = order[static_cast<std::size_t>(i)];
      indices[out.at(to, i)] = index;
      values[out.at(to, i)] = before.x[lines.at(begin, index)];
    }
  });
  return {tensor_of(x.kind, dims, std::move(values)), integer_tensor(dims, std::move(indices))};
}

}  // namespace

Result<Outputs> evaluate_top_k(const Call& call) {
  const auto wish = wish_of(call);
  if (!wish) return wish.error();
  return by_payload(call.input(0), [&](auto zero) -> Result<Outputs> { return top<decltype(zero)>(call, *wish); });
}

Result<Outputs> evaluate_non_zero(const Call& call) {
  const Tensor& x = call.input(0);
  IntegerList found;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    if (x.at(i) != 0) found.push_back(i);
  }
  const Dims strides = strides_of(x.dims);
  const Dims dims{x.dims.count, std::ssize(found)};
  if (const auto room = room_for(call.node, dims); !room) return room.error();
  IntegerList out;
  for (int axis = 0; axis < x.dims.count; ++axis) {
    for (const std::int64_t i : found) out.push_back(i / strides[axis] % x.dims[axis]);
  }
  return Outputs{integer_tensor(dims, std::move(out))};
}

}  // namespace tessera::onnx
