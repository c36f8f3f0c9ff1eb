#pragma once
// Walking tensors side by side: axes over linear indices (graph/tensor_attrs.h) become axes over memory, as few and as
// long as they can be.

#include <array>
#include <cstdint>
#include <span>

#include "device/node_impl.h"

namespace tessera::cpu {

/// One tensor of a walk: the linear index it stands at, and its step per axis.
struct WalkOperand {
  std::int64_t channels = 1;  ///< of its pixels
  std::span<const std::int64_t> strides = {};
  std::int64_t offset = 0;
};

inline constexpr int kWalkOperands = 4;
using WalkSteps = std::array<std::int64_t, kWalkOperands>;

struct WalkAxis {
  std::int64_t extent = 1;
  WalkSteps step{};
};

/// Axes in memory: adjacent ones that all tensors pass through in one stride are joined, those of one place dropped. At
/// least one axis; the last is the innermost.
struct WalkPlan {
  static constexpr int kMaxAxes = 24;
  std::array<WalkAxis, kMaxAxes> axes{};
  int count = 0;
  std::array<float*, kWalkOperands> data{};

  const WalkAxis& inner() const { return axes[static_cast<std::size_t>(count - 1)]; }
  std::int64_t places() const;
};

class Walk {
 public:
  /// At most 16 axes and kWalkOperands operands.
  Walk(std::span<const std::int64_t> dims, std::span<const WalkOperand> operands);

  /// The plan for these tensors, one per operand. False when one has gaps between its pixels where an axis would step
  /// over them unevenly; element by element it still goes.
  bool plan(std::span<const TensorRef> tensors, WalkPlan& out) const noexcept;

 private:
  struct Operand {
    std::int64_t channels, offset;
    bool separable;  ///< every axis stays within a pixel or steps over whole ones
  };
  void split_at_pixels(std::size_t operand);
  bool separable(std::size_t operand) const;

  std::array<WalkAxis, WalkPlan::kMaxAxes> axes_{};
  int count_ = 0;
  std::array<Operand, kWalkOperands> operands_{};
  std::size_t operand_count_;
};

/// The row-major strides of dims.
Dims row_major(const Dims& dims);

/// Calls use(pointers, count) for the runs along the innermost axis that make up places [begin, end).
template <class Use>
void each_run(const WalkPlan& plan, std::int64_t begin, std::int64_t end, const Use& use) noexcept {
  std::array<std::int64_t, WalkPlan::kMaxAxes> at{};
  std::array<float*, kWalkOperands> pointers = plan.data;
  const auto move = [&](int axis, std::int64_t places) {
    const WalkAxis& a = plan.axes[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < pointers.size(); ++i) pointers[i] += a.step[i] * places;
    at[static_cast<std::size_t>(axis)] += places;
  };
  std::int64_t rest = begin;
  for (int axis = plan.count; axis-- > 0;) {
    const std::int64_t extent = plan.axes[static_cast<std::size_t>(axis)].extent;
    move(axis, rest % extent);
    rest /= extent;
  }
  const int last = plan.count - 1;
  while (begin < end) {
    const std::int64_t count = std::min(plan.inner().extent - at[static_cast<std::size_t>(last)], end - begin);
    use(pointers, count);
    begin += count;
    move(last, count);
    for (int axis = last;
         axis > 0 && at[static_cast<std::size_t>(axis)] == plan.axes[static_cast<std::size_t>(axis)].extent; --axis) {
      move(axis, -plan.axes[static_cast<std::size_t>(axis)].extent);
      move(axis - 1, 1);
    }
  }
}

/// Nodes whose work is a number of equal places in a row: tasks take equal shares, some four per thread, none so small
/// that starting it costs more than its work.
class ShareImpl : public NodeImpl {
 public:
  std::size_t tasks() const noexcept override { return static_cast<std::size_t>(tasks_); }

 protected:
  ShareImpl(std::int64_t floats, int threads);
  struct Range {
    std::int64_t begin, end;
  };
  /// Task's share of `total` places (at most 2^31).
  Range share(std::size_t task, std::int64_t total) const noexcept {
    const auto at = static_cast<std::int64_t>(task);
    return {total * at / tasks_, total * (at + 1) / tasks_};
  }

 private:
  std::int64_t tasks_;
};

}  // namespace tessera::cpu
