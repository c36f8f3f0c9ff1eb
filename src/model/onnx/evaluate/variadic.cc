// Max, Mean, Min and Sum of any number of operands, rounded once.

#include <algorithm>

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/walk.h"

namespace tessera::onnx {
namespace {

struct Variadic {
  std::string_view op;
  double (*real)(double, double);
  std::int64_t (*integer)(std::int64_t, std::int64_t);
};

// A NaN on either side wins: every comparison with it is false, and `a != a` tells it on the left.
double larger(double a, double b) { return a > b || a != a ? a : b; }
double smaller(double a, double b) { return a < b || a != a ? a : b; }

constexpr Variadic kVariadic[] = {
    {"Max", larger, [](std::int64_t a, std::int64_t b) { return std::max(a, b); }},
    {"Mean", wrapping_add, nullptr},
    {"Min", smaller, [](std::int64_t a, std::int64_t b) { return std::min(a, b); }},
    {"Sum", wrapping_add, wrapping_add},
};

Result<Dims> joined_dims(const Call& call) {
  Result<Dims> dims = call.input(0).dims;
  for (const Tensor* next : call.inputs) {
    if (next == nullptr) return misfit(call.node, "an input is absent");
    TESSERA_TRY(same_kind(call, call.input(0), *next));
    dims = broadcast(call.node, *dims, next->dims);
    if (!dims) return dims;
  }
  return dims;
}

template <class T, class F>
Result<Outputs> folded(const Call& call, const Dims& dims, F join) {
  std::vector<Wide<T>> sum;
  for (const Tensor* next : call.inputs) {
    const bool first = sum.empty();
    const auto x = numbers<T>(*next);
    std::size_t i = 0;
    walk(dims, std::array{broadcast_strides(next->dims, dims)}, [&](const auto& at) {
      const Wide<T> number = x[static_cast<std::size_t>(at[0])];
      if (first) {
        sum.push_back(number);
      } else {
        sum[i] = join(sum[i], number), ++i;
      }
    });
  }
  const auto count = static_cast<Wide<T>>(call.node.op == "Mean" ? call.inputs.size() : 1);
  std::vector<T> out;
  out.reserve(sum.size());
  for (const Wide<T> number : sum) out.push_back(static_cast<T>(number / count));
  return Outputs{tensor_of(call.input(0).kind, dims, std::move(out))};
}

}  // namespace

Result<Outputs> evaluate_variadic(const Call& call) {
  const Variadic& variadic = *std::ranges::lower_bound(kVariadic, call.node.op, std::ranges::less{}, &Variadic::op);
  const auto dims = joined_dims(call);
  if (!dims) return dims.error();
  if (const auto room = room_for(call.node, *dims); !room) return room.error();
  if (call.input(0).is_real()) return folded<float>(call, *dims, variadic.real);
  if (variadic.integer == nullptr) return misfit(call.node, "not for integers");
  return folded<std::int64_t>(call, *dims, variadic.integer);
}

}  // namespace tessera::onnx
