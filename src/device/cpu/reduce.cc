#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/cpu/walk.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// What a kind does with numbers: from `kFirst` on take one after another; join two results. In double: any order of
// summation then differs by less than a float shows.
struct Sum {
  static constexpr double kFirst = 0;
  static double take(double acc, double x) { return acc + x; }
  static double join(double a, double b) { return a + b; }
};
struct Squares {
  static constexpr double kFirst = 0;
  static double take(double acc, double x) { return acc + x * x; }
  static double join(double a, double b) { return a + b; }
};
struct Product {
  static constexpr double kFirst = 1;
  static double take(double acc, double x) { return acc * x; }
  static double join(double a, double b) { return a * b; }
};
struct Greatest {  // a NaN stays: nothing compares to it
  static constexpr double kFirst = -std::numeric_limits<double>::infinity();
  static double take(double acc, double x) { return x > acc || x != x ? x : acc; }
  static double join(double a, double b) { return take(a, b); }
};
struct Least {
  static constexpr double kFirst = std::numeric_limits<double>::infinity();
  static double take(double acc, double x) { return x < acc || x != x ? x : acc; }
  static double join(double a, double b) { return take(a, b); }
};

// The axes of the output (they move operand 0) stand before the reduced ones.
struct Halves {
  cpu::WalkPlan out, reduced;
};
Halves halve(const cpu::WalkPlan& plan) {
  Halves halves{plan, plan};
  halves.out.count = halves.reduced.count = 0;
  for (int i = 0; i < plan.count; ++i) {
    const cpu::WalkAxis& axis = plan.axes[static_cast<std::size_t>(i)];
    cpu::WalkPlan& half = axis.step[0] != 0 ? halves.out : halves.reduced;
    half.axes[static_cast<std::size_t>(half.count++)] = axis;
  }
  for (cpu::WalkPlan* half : {&halves.out, &halves.reduced}) {
    if (half->count == 0) half->axes[static_cast<std::size_t>(half->count++)] = cpu::WalkAxis{};
  }
  return halves;
}

// All numbers behind one output. Four sums side by side hide the latency of adding; always the same four.
template <class Op>
double reduce_one(cpu::WalkPlan reduced, std::int64_t places, float* src) {
  double acc[4] = {Op::kFirst, Op::kFirst, Op::kFirst, Op::kFirst};
  reduced.data[1] = src;
  const std::int64_t step = reduced.inner().step[1];
  cpu::each_run(reduced, 0, places, [&](const auto& at, std::int64_t count) {
    const float* x = at[1];
    std::int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
      for (std::int64_t k = 0; k < 4; ++k) acc[k] = Op::take(acc[k], x[(i + k) * step]);
    }
    for (; i < count; ++i) acc[0] = Op::take(acc[0], x[i * step]);
  });
  return Op::join(Op::join(acc[0], acc[1]), Op::join(acc[2], acc[3]));
}

// Outputs that are neighbours in the input are reduced together, row by row.
template <class Op, class Store>
void reduce_side_by_side(cpu::WalkPlan reduced, std::int64_t places, float* src, std::int64_t count,
                         const Store& store) {
  constexpr std::int64_t kStrip = 256;
  double acc[kStrip];
  for (std::int64_t first = 0; first < count; first += kStrip) {
    const std::int64_t n = std::min(kStrip, count - first);
    std::fill(acc, acc + n, Op::kFirst);
    reduced.data[1] = src + first;
    const std::int64_t step = reduced.inner().step[1];
    cpu::each_run(reduced, 0, places, [&](const auto& at, std::int64_t rows) {
      for (std::int64_t r = 0; r < rows; ++r) {
        const float* x = at[1] + r * step;
        for (std::int64_t i = 0; i < n; ++i) acc[i] = Op::take(acc[i], x[i]);
      }
    });
    for (std::int64_t i = 0; i < n; ++i) store(first + i, acc[i]);
  }
}

// Position of the least or greatest number, NaN passed over.
struct Best {
  bool low, last;
  double value = 0;
  std::int64_t at = 0, seen = 0;
  bool any = false;

  void take(double x) {
    const bool better = low ? x < value : x > value;
    if (x == x && (!any || better || (last && x == value))) value = x, at = seen, any = true;
    ++seen;
  }
};

class ReduceWalk final : public cpu::ShareImpl {
 public:
  explicit ReduceWalk(const ImplContext& context)
      : ShareImpl(work(context), context.threads),
        kind_(std::get<ReduceAttrs>(context.node->attrs).kind),
        last_(std::get<ReduceAttrs>(context.node->attrs).select_last),
        walk_(make_walk(context)),
        reference_(make_reduce_reference(context)) {}

  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const TensorRef tensors[] = {args.output, args.inputs[0]};
    cpu::WalkPlan plan;
    if (!walk_.plan(tensors, plan)) return run_elements(task, args);
    const Halves halves = halve(plan);
    const auto [begin, end] = share(task, cpu::elements(args.output));
    switch (kind_) {
      case ReduceKind::mean:
      case ReduceKind::sum:
        return run_op<Sum>(halves, begin, end);
      case ReduceKind::l2:
        return run_op<Squares>(halves, begin, end);
      case ReduceKind::prod:
        return run_op<Product>(halves, begin, end);
      case ReduceKind::max:
        return run_op<Greatest>(halves, begin, end);
      case ReduceKind::min:
        return run_op<Least>(halves, begin, end);
      case ReduceKind::argmax:
      case ReduceKind::argmin:
        return run_position(halves, begin, end);
    }
  }

 private:
  static std::int64_t work(const ImplContext& context) {
    const Extents in = cpu::input_extents(context, 0);
    return in.n * in.h * in.w * in.c;
  }
  static cpu::Walk make_walk(const ImplContext& context) {
    const auto& attrs = std::get<ReduceAttrs>(context.node->attrs);
    const Dims out_steps = cpu::row_major(attrs.out_dims);
    std::array<std::int64_t, 2 * Dims::kMax> dims{}, out{}, in{};
    std::copy(attrs.red_dims.begin(), attrs.red_dims.end(), std::ranges::copy(attrs.out_dims, dims.begin()).out);
    std::ranges::copy(out_steps, out.begin());  // the reduced axes stay at 0
    std::copy(attrs.red_strides.begin(), attrs.red_strides.end(), std::ranges::copy(attrs.out_strides, in.begin()).out);
    const auto axes = static_cast<std::size_t>(attrs.out_dims.size() + attrs.red_dims.size());
    const cpu::WalkOperand operands[] = {{cpu::output_extents(context).c, std::span(out).first(axes)},
                                         {cpu::input_extents(context, 0).c, std::span(in).first(axes)}};
    return {std::span(dims).first(axes), operands};
  }

  template <class Op>
  void run_op(const Halves& halves, std::int64_t begin, std::int64_t end) const noexcept {
    const std::int64_t places = halves.reduced.places();
    const cpu::WalkSteps step = halves.out.inner().step;
    const bool side_by_side = step[1] == 1 && halves.out.inner().extent >= 4 && halves.reduced.inner().step[1] != 1;
    cpu::each_run(halves.out, begin, end, [&](const auto& at, std::int64_t count) {
      const auto store = [&](std::int64_t i, double value) { at[0][i * step[0]] = finished(value, places); };
      if (side_by_side) return reduce_side_by_side<Op>(halves.reduced, places, at[1], count, store);
      for (std::int64_t i = 0; i < count; ++i) store(i, reduce_one<Op>(halves.reduced, places, at[1] + i * step[1]));
    });
  }
  float finished(double value, std::int64_t places) const noexcept {
    if (kind_ == ReduceKind::mean) value /= static_cast<double>(places);
    return static_cast<float>(kind_ == ReduceKind::l2 ? std::sqrt(value) : value);
  }

  void run_position(const Halves& halves, std::int64_t begin, std::int64_t end) const noexcept {
    cpu::WalkPlan reduced = halves.reduced;
    const cpu::WalkSteps step = halves.out.inner().step;
    const std::int64_t places = reduced.places(), inner = reduced.inner().step[1];
    cpu::each_run(halves.out, begin, end, [&](const auto& at, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        Best best{kind_ == ReduceKind::argmin, last_};
        reduced.data[1] = at[1] + i * step[1];
        cpu::each_run(reduced, 0, places, [&](const auto& from, std::int64_t n) {
          for (std::int64_t k = 0; k < n; ++k) best.take(static_cast<double>(from[1][k * inner]));
        });
        at[0][i * step[0]] = static_cast<float>(best.at);
      }
    });
  }

  // Between gaps that the axes do not respect: the reference's tasks, shared out.
  void run_elements(std::size_t task, const NodeArgs& args) const noexcept {
    const auto [begin, end] = share(task, static_cast<std::int64_t>(reference_->tasks()));
    for (std::int64_t i = begin; i < end; ++i) reference_->run(static_cast<std::size_t>(i), args);
  }

  ReduceKind kind_;
  bool last_;
  cpu::Walk walk_;
  std::unique_ptr<NodeImpl> reference_;
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<ReduceWalk>(context); }

constexpr NodeImplInfo kImpls[] = {{"reduce_walk", Isa::none, takes_all, make}, kReduceReference};

}  // namespace

std::span<const NodeImplInfo> cpu_reduce_impls() { return kImpls; }

}  // namespace tessera
