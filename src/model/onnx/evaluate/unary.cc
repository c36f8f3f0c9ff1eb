// One number to one number.

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/onnx/evaluate/operators.h"

namespace tessera::onnx {
namespace {

/// Attributes alpha and beta, or the operator's defaults.
struct Pair {
  double alpha, beta;
};
struct Unary {
  std::string_view op;
  double (*real)(double x, Pair p);         ///< nullptr: not for reals
  std::int64_t (*integer)(std::int64_t x);  ///< nullptr: not for integers
  float alpha = 0, beta = 0;
};

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double elu(double x, double alpha) { return x < 0 ? alpha * std::expm1(x) : x; }
double normal_cdf(double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }
double clamp01(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }  // NaN stays
std::int64_t negated(std::int64_t x) { return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)); }
double half_to_even(double x) { return std::isfinite(x) ? x - std::remainder(x, 1.0) : x; }  // in any rounding mode
double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

constexpr float kSeluAlpha = 1.67326319217681884765625f, kSeluGamma = 1.05070102214813232421875f;

constexpr Unary kUnary[] = {
    {"Abs", [](double x, Pair) { return std::fabs(x); }, [](std::int64_t x) { return x < 0 ? negated(x) : x; }},
    {"Ceil", [](double x, Pair) { return std::ceil(x); }, nullptr},
    {"Celu", [](double x, Pair p) { return x < 0 ? p.alpha * std::expm1(x / p.alpha) : x; }, nullptr, 1},
    {"Cos", [](double x, Pair) { return std::cos(x); }, nullptr},
    {"Elu", [](double x, Pair p) { return elu(x, p.alpha); }, nullptr, 1},
    {"Erf", [](double x, Pair) { return std::erf(x); }, nullptr},
    {"Exp", [](double x, Pair) { return std::exp(x); }, nullptr},
    {"Floor", [](double x, Pair) { return std::floor(x); }, nullptr},
    {"Gelu", [](double x, Pair) { return x * normal_cdf(x); }, nullptr},
    {"HardSigmoid", [](double x, Pair p) { return clamp01(p.alpha * x + p.beta); }, nullptr, 0.2f, 0.5f},
    {"HardSwish", [](double x, Pair) { return x * clamp01(x / 6 + 0.5); }, nullptr},
    {"LeakyRelu", [](double x, Pair p) { return x < 0 ? p.alpha * x : x; }, nullptr, 0.01f},
    {"Log", [](double x, Pair) { return std::log(x); }, nullptr},
    {"Mish", [](double x, Pair) { return x * std::tanh(softplus(x)); }, nullptr},
    {"Neg", [](double x, Pair) { return -x; }, negated},
    {"Not", nullptr, [](std::int64_t x) { return std::int64_t{x == 0}; }},
    {"Reciprocal", [](double x, Pair) { return 1 / x; }, nullptr},
    {"Relu", [](double x, Pair) { return x < 0 ? 0 : x; }, [](std::int64_t x) { return x < 0 ? 0 : x; }},
    {"Round", [](double x, Pair) { return half_to_even(x); }, nullptr},
    {"Selu", [](double x, Pair p) { return p.beta * elu(x, p.alpha); }, nullptr, kSeluAlpha, kSeluGamma},
    {"Sigmoid", [](double x, Pair) { return 1 / (1 + std::exp(-x)); }, nullptr},
    {"Sign", [](double x, Pair) { return sign(x); }, [](std::int64_t x) { return std::int64_t{x > 0} - (x < 0); }},
    {"Sin", [](double x, Pair) { return std::sin(x); }, nullptr},
    {"Softplus", [](double x, Pair) { return softplus(x); }, nullptr},
    {"Softsign", [](double x, Pair) { return x / (1 + std::fabs(x)); }, nullptr},
    {"Sqrt", [](double x, Pair) { return std::sqrt(x); }, nullptr},
    {"Tan", [](double x, Pair) { return std::tan(x); }, nullptr},
    {"Tanh", [](double x, Pair) { return std::tanh(x); }, nullptr},
    {"ThresholdedRelu", [](double x, Pair p) { return x > p.alpha ? x : 0; }, nullptr, 1},
};
static_assert(std::ranges::is_sorted(kUnary, std::ranges::less{}, &Unary::op));

double gelu_tanh(double x, Pair) {
  constexpr double kSqrtTwoOverPi = 0.7978845608028654;
  return 0.5 * x * (1 + std::tanh(kSqrtTwoOverPi * (x + 0.044715 * x * x * x)));
}

/// Clip's bounds: attributes before opset 11, inputs since.
template <class T>
Result<T> bound(const Call& call, std::size_t input, std::string_view key, T fallback) {
  if (const Tensor* given = call.optional(input); given != nullptr) {
    if (given->size() != 1) return misfit(call.node, key, " is not one number");
    TESSERA_TRY(same_kind(call, call.input(0), *given));
    return numbers<T>(*given).front();
  }
  if (!call.node.has(key)) return fallback;
  if (!call.input(0).is_real()) return misfit(call.node, "integers need ", key, " as an input");
  return static_cast<T>(call.node.float_or(key, 0));
}

template <class T>
Result<Outputs> clipped(const Call& call) {
  const auto low = bound<T>(call, 1, "min", std::numeric_limits<T>::lowest());
  if (!low) return low.error();
  const auto high = bound<T>(call, 2, "max", std::numeric_limits<T>::max());
  if (!high) return high.error();
  std::vector<T> out;
  for (const T x : numbers<T>(call.input(0))) {
    const T raised = x < *low ? *low : x;  // NaN passes both
    out.push_back(raised > *high ? *high : raised);
  }
  return Outputs{tensor_of(call.input(0).kind, call.input(0).dims, std::move(out))};
}

}  // namespace

Result<Outputs> evaluate_unary(const Call& call) {
  const IrNode& node = call.node;
  Unary unary = *std::ranges::lower_bound(kUnary, node.op, std::ranges::less{}, &Unary::op);
  if (node.string_or("approximate", "none") == "tanh") unary.real = gelu_tanh;
  const std::string_view beta = node.op == "Selu" ? "gamma" : "beta";
  const Pair pair{double{node.float_or("alpha", unary.alpha)}, double{node.float_or(beta, unary.beta)}};
  const Tensor& x = call.input(0);
  if (x.is_real() ? unary.real == nullptr : unary.integer == nullptr) return misfit(node, "not for integers");
  if (!x.is_real()) {
    IntegerList out(numbers<std::int64_t>(x).begin(), numbers<std::int64_t>(x).end());
    std::ranges::transform(out, out.begin(), unary.integer);
    return Outputs{integer_tensor(x.dims, std::move(out), x.kind)};
  }
  std::vector<float> out(numbers<float>(x).begin(), numbers<float>(x).end());
  for (float& number : out) number = static_cast<float>(unary.real(double{number}, pair));
  return Outputs{real_tensor(x.dims, std::move(out))};
}

Result<Outputs> evaluate_clip(const Call& call) {
  return by_payload(call.input(0), [&](auto zero) { return clipped<decltype(zero)>(call); });
}

}  // namespace tessera::onnx
