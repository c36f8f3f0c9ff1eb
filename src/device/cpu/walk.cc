#include "device/cpu/walk.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/share.h"

namespace tessera::cpu {

std::int64_t WalkPlan::places() const {
  std::int64_t product = 1;
  for (int i = 0; i < count; ++i) product *= axes[static_cast<std::size_t>(i)].extent;
  return product;
}

Walk::Walk(std::span<const std::int64_t> dims, std::span<const WalkOperand> operands)
    : operand_count_(operands.size()) {
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    WalkAxis& a = axes_[static_cast<std::size_t>(count_++)];
    a.extent = dims[axis];
    for (std::size_t o = 0; o < operands.size(); ++o) a.step[o] = operands[o].strides[axis];
  }
  for (std::size_t o = 0; o < operands.size(); ++o) operands_[o] = {operands[o].channels, operands[o].offset, false};
  for (std::size_t o = 0; o < operands.size(); ++o) split_at_pixels(o);
  for (std::size_t o = 0; o < operands.size(); ++o) operands_[o].separable = separable(o);
}

// An axis that runs through several pixels channel by channel becomes one over pixels and one over channels.
void Walk::split_at_pixels(std::size_t operand) {
  const std::int64_t c = operands_[operand].channels;
  for (int i = 0; i < count_ && count_ < WalkPlan::kMaxAxes; ++i) {
    WalkAxis& outer = axes_[static_cast<std::size_t>(i)];
    const std::int64_t step = std::abs(outer.step[operand]);
    if (step == 0 || step >= c || c % step != 0) continue;
    const std::int64_t within = c / step;
    if (outer.extent <= within || outer.extent % within != 0) continue;
    WalkAxis inner = outer;
    inner.extent = within;
    outer.extent /= within;
    for (std::int64_t& s : outer.step) s *= within;
    std::copy_backward(axes_.begin() + i + 1, axes_.begin() + count_, axes_.begin() + count_ + 1);
    axes_[static_cast<std::size_t>(i) + 1] = inner;
    ++count_;
  }
}

bool Walk::separable(std::size_t operand) const {
  const auto [c, offset, ignored] = operands_[operand];
  std::int64_t low = offset % c, high = low;
  for (int i = 0; i < count_; ++i) {
    const WalkAxis& axis = axes_[static_cast<std::size_t>(i)];
    const std::int64_t step = axis.step[operand];
    if (step % c == 0) continue;
    low += std::min<std::int64_t>(step * (axis.extent - 1), 0);
    high += std::max<std::int64_t>(step * (axis.extent - 1), 0);
  }
  return low >= 0 && high < c;
}

bool Walk::plan(std::span<const TensorRef> tensors, WalkPlan& out) const noexcept {
  std::array<bool, kWalkOperands> gaps{};
  for (std::size_t o = 0; o < operand_count_; ++o) {
    const TensorRef& t = tensors[o];
    const Operand& operand = operands_[o];
    gaps[o] = t.pixel_stride != t.c && t.n * t.h * t.w != 1;
    if (gaps[o] && !operand.separable) return false;
    const std::int64_t c = operand.channels;
    out.data[o] = t.data + (gaps[o] ? operand.offset / c * t.pixel_stride + operand.offset % c : operand.offset);
  }
  out.count = 0;
  for (int i = 0; i < count_; ++i) {
    WalkAxis axis = axes_[static_cast<std::size_t>(i)];
    if (axis.extent == 1) continue;
    for (std::size_t o = 0; o < operand_count_; ++o) {
      const std::int64_t c = operands_[o].channels;
      if (gaps[o] && axis.step[o] % c == 0) axis.step[o] = axis.step[o] / c * tensors[o].pixel_stride;
    }
    WalkAxis* before = out.count > 0 ? &out.axes[static_cast<std::size_t>(out.count - 1)] : nullptr;
    bool joins = before != nullptr;
    for (std::size_t o = 0; joins && o < operand_count_; ++o) joins = before->step[o] == axis.step[o] * axis.extent;
    if (joins) axis.extent *= before->extent;
    out.axes[static_cast<std::size_t>(joins ? out.count - 1 : out.count++)] = axis;
  }
  if (out.count == 0) out.axes[static_cast<std::size_t>(out.count++)] = WalkAxis{};
  return true;
}

Dims row_major(const Dims& dims) {
  Dims strides = dims;
  std::int64_t step = 1;
  for (int axis = dims.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= dims[axis];
  }
  return strides;
}

ShareImpl::ShareImpl(std::int64_t floats, int threads) {
  constexpr std::int64_t kTaskFloats = 16384;  // some 4 us: ten times what it costs to start a task
  tasks_ = worth_tasks(floats, kTaskFloats, threads);
}

}  // namespace tessera::cpu
