// Comparisons, logic and the choice by a condition.

#include <algorithm>

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/walk.h"

namespace tessera::onnx {
namespace {

struct Compare {
  std::string_view op;
  bool (*real)(float, float);  ///< nullptr: for truth values only
  bool (*integer)(std::int64_t, std::int64_t);
};

constexpr Compare kCompare[] = {
    {"And", nullptr, [](std::int64_t a, std::int64_t b) { return a != 0 && b != 0; }},
    {"Equal", [](float a, float b) { return a == b; }, [](std::int64_t a, std::int64_t b) { return a == b; }},
    {"Greater", [](float a, float b) { return a > b; }, [](std::int64_t a, std::int64_t b) { return a > b; }},
    {"GreaterOrEqual", [](float a, float b) { return a >= b; }, [](std::int64_t a, std::int64_t b) { return a >= b; }},
    {"Less", [](float a, float b) { return a < b; }, [](std::int64_t a, std::int64_t b) { return a < b; }},
    {"LessOrEqual", [](float a, float b) { return a <= b; }, [](std::int64_t a, std::int64_t b) { return a <= b; }},
    {"Or", nullptr, [](std::int64_t a, std::int64_t b) { return a != 0 || b != 0; }},
    {"Xor", nullptr, [](std::int64_t a, std::int64_t b) { return (a != 0) != (b != 0); }},
};
static_assert(std::ranges::is_sorted(kCompare, std::ranges::less{}, &Compare::op));

template <class T, class F>
Outputs compared(const Call& call, const Dims& dims, F f) {
  const Tensor &a = call.input(0), &b = call.input(1);
  const auto x = numbers<T>(a), y = numbers<T>(b);
  IntegerList out;
  walk(dims, std::array{broadcast_strides(a.dims, dims), broadcast_strides(b.dims, dims)}, [&](const auto& at) {
    out.push_back(f(x[static_cast<std::size_t>(at[0])], y[static_cast<std::size_t>(at[1])]) ? 1 : 0);
  });
  return {integer_tensor(dims, std::move(out), Kind::boolean)};
}

template <class T>
Outputs chosen(const Call& call, const Dims& dims) {
  const Tensor &condition = call.input(0), &a = call.input(1), &b = call.input(2);
  const auto c = numbers<std::int64_t>(condition);
  const auto x = numbers<T>(a), y = numbers<T>(b);
  const std::array strides{broadcast_strides(condition.dims, dims), broadcast_strides(a.dims, dims),
                           broadcast_strides(b.dims, dims)};
  std::vector<T> out;
  walk(dims, strides, [&](const auto& at) {
    const bool first = c[static_cast<std::size_t>(at[0])] != 0;
    out.push_back(first ? x[static_cast<std::size_t>(at[1])] : y[static_cast<std::size_t>(at[2])]);
  });
  return {tensor_of(a.kind, dims, std::move(out))};
}

}  // namespace

Result<Outputs> evaluate_compare(const Call& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  const Compare& compare = *std::ranges::lower_bound(kCompare, call.node.op, std::ranges::less{}, &Compare::op);
  TESSERA_TRY(same_kind(call, a, b));
  const auto dims = broadcast(call.node, a.dims, b.dims);
  if (!dims) return dims.error();
  if (const auto room = room_for(call.node, *dims); !room) return room.error();
  return a.is_real() ? compared<float>(call, *dims, compare.real)
                     : compared<std::int64_t>(call, *dims, compare.integer);
}

Result<Outputs> evaluate_where(const Call& call) {
  const Tensor &condition = call.input(0), &a = call.input(1), &b = call.input(2);
  if (condition.kind != Kind::boolean) return misfit(call.node, "the condition is no truth value");
  TESSERA_TRY(same_kind(call, a, b));
  auto dims = broadcast(call.node, a.dims, b.dims);
  if (dims) dims = broadcast(call.node, *dims, condition.dims);
  if (!dims) return dims.error();
  if (const auto room = room_for(call.node, *dims); !room) return room.error();
  return by_payload(a, [&](auto zero) -> Result<Outputs> { return chosen<decltype(zero)>(call, *dims); });
}

}  // namespace tessera::onnx
