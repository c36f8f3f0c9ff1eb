// Operators along one axis: Softmax, LogSoftmax, ArgMax, ArgMin, CumSum.

#include <cmath>

#include "model/onnx/evaluate/lines.h"
#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

void soften(const Lines& lines, std::int64_t begin, bool log, std::vector<float>& x) {
  double most = -HUGE_VAL, sum = 0;
  for (std::int64_t i = 0; i < lines.count; ++i) most = std::fmax(most, double{x[lines.at(begin, i)]});
  for (std::int64_t i = 0; i < lines.count; ++i) sum += std::exp(double{x[lines.at(begin, i)]} - most);
  for (std::int64_t i = 0; i < lines.count; ++i) {
    float& number = x[lines.at(begin, i)];
    const double shifted = double{number} - most;
    number = static_cast<float>(log ? shifted - std::log(sum) : std::exp(shifted) / sum);
  }
}

/// Whether b takes the place of a, which came first. A NaN is larger and smaller than all, as in NumPy.
template <class T>
bool replaces(T a, T b, bool max, bool last) {
  if (a != a) return last && b != b;
  return b != b || (max ? b > a : b < a) || (last && a == b);
}

template <class T>
IntegerList positions(const Call& call, const Lines& lines) {
  const auto x = numbers<T>(call.input(0));
  const bool max = call.node.op == "ArgMax", last = call.node.int_or("select_last_index", 0) != 0;
  IntegerList out;
  lines.each([&](std::int64_t begin, std::int64_t) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < lines.count; ++i) {
      if (replaces(x[lines.at(begin, best)], x[lines.at(begin, i)], max, last)) best = i;
    }
    out.push_back(best);
  });
  return out;
}

template <class T>
Tensor summed(const Call& call, const Lines& lines) {
  const Tensor& x = call.input(0);
  const bool exclusive = call.node.int_or("exclusive", 0) != 0, reverse = call.node.int_or("reverse", 0) != 0;
  std::vector<T> out(numbers<T>(x).begin(), numbers<T>(x).end());
  lines.each([&](std::int64_t begin, std::int64_t) {
    Wide<T> sum = 0;
    for (std::int64_t i = 0; i < lines.count; ++i) {
      T& number = out[lines.at(begin, reverse ? lines.count - 1 - i : i)];
      const Wide<T> next = wrapping_add(sum, Wide<T>{number});
      number = static_cast<T>(exclusive ? sum : next);
      sum = next;
    }
  });
  return tensor_of(x.kind, x.dims, std::move(out));
}

}  // namespace

Result<Outputs> evaluate_softmax(const Call& call) {
  const Tensor& x = call.input(0);
  // Before opset 13 all axes from the named one on are flattened into one.
  const bool flattens = call.opset < 13;
  const auto axis = axis_of(call.node, call.node.int_or("axis", flattens ? 1 : -1), x.dims.count);
  if (!axis) return axis.error();
  const Lines lines(x.dims, *axis, flattens ? x.dims.count : *axis + 1);
  std::vector<float> out(numbers<float>(x).begin(), numbers<float>(x).end());
  const bool log = call.node.op == "LogSoftmax";
  lines.each([&](std::int64_t begin, std::int64_t) { soften(lines, begin, log, out); });
  return Outputs{real_tensor(x.dims, std::move(out))};
}

Result<Outputs> evaluate_arg(const Call& call) {
  const Tensor& x = call.input(0);
  const auto axis = axis_of(call.node, call.node.int_or("axis", 0), x.dims.count);
  if (!axis) return axis.error();
  const Lines lines(x.dims, *axis, *axis + 1);
  if (lines.count == 0) return misfit(call.node, "no numbers along axis ", *axis);
  Dims dims;
  for (int i = 0; i < x.dims.count; ++i) {
    if (i != *axis || call.node.int_or("keepdims", 1) != 0) dims.push_back(i == *axis ? 1 : x.dims[i]);
  }
  auto found = by_payload(x, [&](auto zero) { return positions<decltype(zero)>(call, lines); });
  return Outputs{integer_tensor(dims, std::move(found))};
}

Result<Outputs> evaluate_cum_sum(const Call& call) {
  const Tensor &x = call.input(0), &where = call.input(1);
  if (where.kind != Kind::integer || where.size() != 1) return misfit(call.node, "axis is not one integer");
  const auto axis = axis_of(call.node, (*where.integers)[0], x.dims.count);
  if (!axis) return axis.error();
  const Lines lines(x.dims, *axis, *axis + 1);
  return by_payload(x, [&](auto zero) -> Result<Outputs> { return Outputs{summed<decltype(zero)>(call, lines)}; });
}

}  // namespace tessera::onnx
