// Two operands, shapes joined by broadcasting.

#include <algorithm>
#include <cmath>

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/walk.h"

namespace tessera::onnx {
namespace {

/// Dims are those of the output; f(a, b) -> T, computed in Wide<T>.
template <class T, class F>
Result<Outputs> combine(const Call& call, const Dims& dims, F f) {
  const Tensor &a = call.input(0), &b = call.input(1);
  const auto room = room_for(call.node, dims);
  if (!room) return room.error();
  std::vector<T> out;
  out.reserve(*room);
  const auto x = numbers<T>(a), y = numbers<T>(b);
  walk(dims, std::array{broadcast_strides(a.dims, dims), broadcast_strides(b.dims, dims)}, [&](const auto& at) {
    const Wide<T> left = x[static_cast<std::size_t>(at[0])], right = y[static_cast<std::size_t>(at[1])];
    out.push_back(static_cast<T>(f(left, right)));
  });
  return Outputs{tensor_of(a.kind, dims, std::move(out))};
}

struct Binary {
  std::string_view op;
  double (*real)(double, double);                       ///< nullptr: not for reals
  std::int64_t (*integer)(std::int64_t, std::int64_t);  ///< the divisor is not 0
};

std::int64_t subtracted(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
// The smallest integer has no negative: it stays itself, as in two's complement.
std::int64_t quotient(std::int64_t a, std::int64_t b) { return b == -1 ? subtracted(0, a) : a / b; }
std::int64_t remainder(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }
std::int64_t floored_remainder(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = remainder(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
double floating_remainder(double a, double b) { return std::fmod(a, b); }

constexpr Binary kBinary[] = {
    {"Add", [](double a, double b) { return a + b; }, wrapping_add},
    {"Div", [](double a, double b) { return a / b; }, quotient},
    {"Mod", nullptr, floored_remainder},
    {"Mul", [](double a, double b) { return a * b; }, wrapping_mul},
    {"Sub", [](double a, double b) { return a - b; }, subtracted},
};
static_assert(std::ranges::is_sorted(kBinary, std::ranges::less{}, &Binary::op));

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return saturated(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  std::int64_t out = 1;
  for (; exponent > 0; exponent >>= 1, base = wrapping_mul(base, base)) {
    if ((exponent & 1) != 0) out = wrapping_mul(out, base);
  }
  return out;
}

/// The exponent may be of another kind than the base, whose kind the result has.
template <class T>
Result<Outputs> mixed_power(const Call& call, const Dims& dims) {
  const Tensor &a = call.input(0), &b = call.input(1);
  std::vector<T> out;
  walk(dims, std::array{broadcast_strides(a.dims, dims), broadcast_strides(b.dims, dims)}, [&](const auto& at) {
    const double y = std::pow(a.at(at[0]), b.at(at[1]));
    if constexpr (std::is_same_v<T, float>) {
      out.push_back(static_cast<float>(y));
    } else {
      out.push_back(saturated(y));
    }
  });
  return Outputs{tensor_of(a.kind, dims, std::move(out))};
}

}  // namespace

Result<Outputs> evaluate_binary(const Call& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  Binary binary = *std::ranges::lower_bound(kBinary, call.node.op, std::ranges::less{}, &Binary::op);
  if (binary.op == "Mod" && call.node.int_or("fmod", 0) != 0) binary = {"Mod", floating_remainder, remainder};
  TESSERA_TRY(same_kind(call, a, b));
  const auto dims = broadcast(call.node, a.dims, b.dims);
  if (!dims) return dims.error();
  if (a.is_real()) {
    if (binary.real == nullptr) return misfit(call.node, "reals need the attribute fmod");
    return combine<float>(call, *dims, binary.real);
  }
  const bool divides = binary.op == "Div" || binary.op == "Mod";
  if (divides && std::ranges::count(numbers<std::int64_t>(b), 0) > 0) return misfit(call.node, "divides by 0");
  return combine<std::int64_t>(call, *dims, binary.integer);
}

Result<Outputs> evaluate_pow(const Call& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  const auto dims = broadcast(call.node, a.dims, b.dims);
  if (!dims) return dims.error();
  if (const auto room = room_for(call.node, *dims); !room) return room.error();
  if (!a.is_real() && !b.is_real()) return combine<std::int64_t>(call, *dims, power);
  return by_payload(a, [&](auto zero) { return mixed_power<decltype(zero)>(call, *dims); });
}

Result<Outputs> evaluate_prelu(const Call& call) {
  const Tensor &x = call.input(0), &slope = call.input(1);
  TESSERA_TRY(same_kind(call, x, slope));
  const auto dims = broadcast(call.node, x.dims, slope.dims);
  if (!dims) return dims.error();
  if (*dims != x.dims) return misfit(call.node, "slope ", shown(slope.dims), " does not fit ", shown(x.dims));
  return by_payload(x, [&](auto zero) {
    return combine<decltype(zero)>(call, x.dims, [](auto a, auto b) { return a < 0 ? wrapping_mul(a, b) : a; });
  });
}

}  // namespace tessera::onnx
