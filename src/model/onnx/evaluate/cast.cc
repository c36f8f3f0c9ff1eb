// Between kinds of numbers. Values stay in f32 or i64, but take the rounding and the wrap of the type that is named.

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

/// TensorProto.DataType; bits of an integer (0: a real), or the digits of a narrower real.
struct Target {
  std::int64_t code;
  Kind kind;
  int bits;
  bool is_signed;
};
constexpr Target kTargets[] = {
    {1, Kind::real, 24, true},     {2, Kind::integer, 8, false},   {3, Kind::integer, 8, true},
    {4, Kind::integer, 16, false}, {5, Kind::integer, 16, true},   {6, Kind::integer, 32, true},
    {7, Kind::integer, 64, true},  {9, Kind::boolean, 1, false},   {10, Kind::real, 11, true},
    {11, Kind::real, 24, true},    {12, Kind::integer, 32, false}, {13, Kind::integer, 64, false},
    {16, Kind::real, 8, true},
};

/// To `digits` significant bits, half to even; f16 (11) has a short exponent.
float rounded(float x, int digits) {
  if (digits == 24 || x == 0 || !std::isfinite(x)) return x;
  const int least = digits == 11 ? -14 : -126;
  const double quantum = std::ldexp(1.0, std::max(std::ilogb(x), least) - (digits - 1));
  const double steps = double{x} / quantum;
  const double y = (steps - std::remainder(steps, 1.0)) * quantum;
  if (digits == 11 && std::fabs(y) > 65504) return std::copysign(HUGE_VALF, x);
  return static_cast<float>(y);
}

std::int64_t wrapped(std::int64_t x, int bits, bool is_signed) {
  if (bits == 64) return x;
  const auto kept = static_cast<std::int64_t>(static_cast<std::uint64_t>(x) & ((std::uint64_t{1} << bits) - 1));
  return is_signed && (kept >> (bits - 1)) != 0 ? kept - (std::int64_t{1} << bits) : kept;
}

template <class T>
Tensor as_integers(const Tensor& from, const Target& to) {
  IntegerList out;
  for (const T x : numbers<T>(from)) {
    if (to.kind == Kind::boolean) {
      out.push_back(x != 0 ? 1 : 0);
    } else if constexpr (std::is_same_v<T, float>) {
      out.push_back(wrapped(saturated(double{x}), to.bits, to.is_signed));
    } else {
      out.push_back(wrapped(x, to.bits, to.is_signed));
    }
  }
  return integer_tensor(from.dims, std::move(out), to.kind);
}

}  // namespace

Result<Outputs> evaluate_cast(const Call& call) {
  const Tensor& from = call.input(0);
  const std::int64_t code = call.node.int_or("to", 0);
  const auto* to = std::ranges::find(kTargets, code, &Target::code);
  if (to == std::end(kTargets)) return not_supported(call.node, "casts to the element type ", code);
  if (to->kind != Kind::real) {
    return by_payload(from,
                      [&](auto zero) -> Result<Outputs> { return Outputs{as_integers<decltype(zero)>(from, *to)}; });
  }
  std::vector<float> out;
  for (std::int64_t i = 0; i < from.size(); ++i) {
    const float x = from.is_real() ? (*from.reals)[static_cast<std::size_t>(i)]
                                   : static_cast<float>((*from.integers)[static_cast<std::size_t>(i)]);
    out.push_back(rounded(x, to->bits));
  }
  return Outputs{real_tensor(from.dims, std::move(out))};
}

}  // namespace tessera::onnx
