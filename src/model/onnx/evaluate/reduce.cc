// Reductions over named axes: the input is walked once in order, each number joins its result.

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/onnx/evaluate/operators.h"
#include "model/onnx/evaluate/take.h"
#include "model/onnx/evaluate/walk.h"

namespace tessera::onnx {
namespace {

enum class Start : std::uint8_t { zero, one, lowest, highest };
struct Reduction {
  std::string_view op;
  Start start;
  double (*real)(double sum, double x);
  std::int64_t (*integer)(std::int64_t sum, std::int64_t x);  ///< nullptr: not for integers
};

double larger(double a, double b) { return a > b || a != a ? a : b; }  // NaN wins
double smaller(double a, double b) { return a < b || a != a ? a : b; }
std::int64_t added_magnitude(std::int64_t sum, std::int64_t x) {
  return wrapping_add(sum, x < 0 ? wrapping_mul(x, -1) : x);
}
std::int64_t added_square(std::int64_t sum, std::int64_t x) { return wrapping_add(sum, wrapping_mul(x, x)); }

constexpr Reduction kReductions[] = {
    {"ReduceL1", Start::zero, [](double sum, double x) { return sum + std::fabs(x); }, added_magnitude},
    {"ReduceL2", Start::zero, [](double sum, double x) { return sum + x * x; }, nullptr},
    {"ReduceLogSum", Start::zero, wrapping_add, nullptr},
    {"ReduceLogSumExp", Start::zero, nullptr, nullptr},  // needs the maxima first
    {"ReduceMax", Start::lowest, larger, [](std::int64_t a, std::int64_t b) { return std::max(a, b); }},
    {"ReduceMean", Start::zero, wrapping_add, wrapping_add},
    {"ReduceMin", Start::highest, smaller, [](std::int64_t a, std::int64_t b) { return std::min(a, b); }},
    {"ReduceProd", Start::one, wrapping_mul, wrapping_mul},
    {"ReduceSum", Start::zero, wrapping_add, wrapping_add},
    {"ReduceSumSquare", Start::zero, [](double sum, double x) { return sum + x * x; }, added_square},
};
static_assert(std::ranges::is_sorted(kReductions, std::ranges::less{}, &Reduction::op));

/// The result's extents with reduced axes kept as 1, and without them; how many numbers each result has.
struct Plan {
  Dims kept, dims;
  std::int64_t count = 1;
};

Result<Plan> plan(const Call& call, const Dims& from) {
  const auto list = list_of(call, 1, "axes");
  if (!list) return list.error();
  const IntegerList names = list->value_or(IntegerList());
  const auto axes = axes_of(call.node, names, from.count);
  if (!axes) return axes.error();
  const bool all = names.empty() && call.node.int_or("noop_with_empty_axes", 0) == 0;
  Plan out;
  for (int axis = 0; axis < from.count; ++axis) {
    const bool reduced = all || std::ranges::find(*axes, axis) != axes->end();
    if (reduced) out.count *= from[axis];
    out.kept.push_back(reduced ? 1 : from[axis]);
    if (!reduced || call.node.int_or("keepdims", 1) != 0) out.dims.push_back(reduced ? 1 : from[axis]);
  }
  return out;
}

template <class W>
W first_of(Start start) {
  using Limits = std::numeric_limits<W>;
  switch (start) {
    case Start::zero:
      return 0;
    case Start::one:
      return 1;
    case Start::lowest:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case Start::highest:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  return 0;
}

/// join(sum, x) of every number with its result's sum.
template <class T, class F>
std::vector<Wide<T>> joined(const Tensor& x, const Plan& plan, Wide<T> first, F join) {
  std::vector<Wide<T>> sums(static_cast<std::size_t>(product(plan.kept)), first);
  const auto in = numbers<T>(x);
  std::size_t i = 0;
  walk(x.dims, std::array{broadcast_strides(plan.kept, x.dims)}, [&](const auto& at) {
    Wide<T>& sum = sums[static_cast<std::size_t>(at[0])];
    sum = join(sum, static_cast<Wide<T>>(in[i++]));
  });
  return sums;
}

/// Largest number first, so that no exponential overflows: m + log(sum of exp(x - m)).
std::vector<double> log_sum_exp(const Tensor& x, const Plan& plan) {
  const auto most = joined<float>(x, plan, first_of<double>(Start::lowest), larger);
  std::vector<double> sums(most.size(), 0.0);
  std::size_t i = 0;
  walk(x.dims, std::array{broadcast_strides(plan.kept, x.dims)}, [&](const auto& at) {
    const auto r = static_cast<std::size_t>(at[0]);
    sums[r] += std::exp(double{numbers<float>(x)[i++]} - most[r]);
  });
  for (std::size_t r = 0; r < sums.size(); ++r) {
    sums[r] = std::isfinite(most[r]) ? most[r] + std::log(sums[r]) : most[r];
  }
  return sums;
}

double finished(std::string_view op, double sum, std::int64_t count) {
  if (op == "ReduceMean") return sum / static_cast<double>(count);
  if (op == "ReduceL2") return std::sqrt(sum);
  return op == "ReduceLogSum" ? std::log(sum) : sum;
}

Tensor reduced_reals(const Reduction& reduction, const Tensor& x, const Plan& plan) {
  const auto sums = reduction.real == nullptr
                        ? log_sum_exp(x, plan)
                        : joined<float>(x, plan, first_of<double>(reduction.start), reduction.real);
  std::vector<float> out;
  out.reserve(sums.size());
  for (const double sum : sums) out.push_back(static_cast<float>(finished(reduction.op, sum, plan.count)));
  return real_tensor(plan.dims, std::move(out));
}

}  // namespace

Result<Outputs> evaluate_reduce(const Call& call) {
  const Reduction& reduction =
      *std::ranges::lower_bound(kReductions, call.node.op, std::ranges::less{}, &Reduction::op);
  const Tensor& x = call.input(0);
  const auto planned = plan(call, x.dims);
  if (!planned) return planned.error();
  if (const auto room = room_for(call.node, planned->kept); !room) return room.error();
  if (x.is_real()) return Outputs{reduced_reals(reduction, x, *planned)};
  const bool mean = reduction.op == "ReduceMean";
  if (reduction.integer == nullptr || (mean && planned->count == 0)) return misfit(call.node, "not for these integers");
  const bool truths = x.kind == Kind::boolean;  // their lowest is 0, their highest 1
  const std::int64_t first = truths ? reduction.start == Start::highest : first_of<std::int64_t>(reduction.start);
  auto sums = joined<std::int64_t>(x, *planned, first, reduction.integer);
  for (std::int64_t& sum : sums) sum /= mean ? planned->count : 1;
  return Outputs{integer_tensor(planned->dims, std::move(sums), x.kind)};
}

}  // namespace tessera::onnx
