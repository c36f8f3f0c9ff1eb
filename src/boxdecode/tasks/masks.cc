// Masks: per detection a linear combination of the basis planes, foreground where it is positive, cut to the box.
// Source: Bolya et al. 2019, YOLACT (arXiv:1904.02689).

#include <cmath>
#include <cstring>

#include "boxdecode/read.h"
#include "boxdecode/tasks/tasks.h"

namespace tessera::boxdecode {
namespace {

constexpr int kMaxBasis = 256;

/// Pixels [x1, x2) x [y1, y2) of the basis whose index lies inside the box.
struct Crop {
  std::int32_t x1, y1, x2, y2;
};

// First index >= v, inside [0, extent]: "X1 <= j" begins there and "j < X2" ends there.
std::int32_t first_at_least(float v, std::int32_t extent) noexcept {
  if (!(v > 0.0f)) return 0;
  if (v >= static_cast<float>(extent)) return extent;
  return static_cast<std::int32_t>(std::ceil(v));
}

Crop crop_of(const TaskPlan& task, const Box& box) noexcept {
  const float x = static_cast<float>(task.basis_w) / static_cast<float>(task.model.width);
  const float y = static_cast<float>(task.basis_h) / static_cast<float>(task.model.height);
  return {first_at_least(box.x1 * x, task.basis_w), first_at_least(box.y1 * y, task.basis_h),
          first_at_least(box.x2 * x, task.basis_w), first_at_least(box.y2 * y, task.basis_h)};
}

/// Reads coefficients once; judges one basis pixel after the other.
class MaskRule {
 public:
  MaskRule(const PlanData& plan, const Origin& from, const Bindings& bindings) noexcept
      : basis_(plan.task.basis),
        data_(bindings.inputs[static_cast<std::size_t>(basis_.port)].data()),
        channels_(static_cast<int>(basis_.channels)) {
    const InputPlan& input = from.head->coefficients;
    const std::byte* data = bindings.inputs[static_cast<std::size_t>(input.port)].data();
    const std::int64_t first = std::int64_t{from.slot} * channels_;
    exact_ = basis_.dtype == DType::Int8 && input.dtype == DType::Int8;
    if (exact_) {
      std::int8_t raw[kMaxBasis];
      read_bytes(input, data, from.y, from.x, first, channels_, raw);
      for (int k = 0; k < channels_; ++k) whole_[k] = raw[k] - input.quant.zero_point;
    } else {
      read_values(input, data, from.y, from.x, first, channels_, real_);
    }
  }

  bool foreground(std::int64_t y, std::int64_t x) const noexcept { return exact_ ? whole(y, x) : real(y, x); }

 private:
  // Two Int8 tensors: the exact integer, whose sign is that of the logit. At most 256 * 255 * 255.
  bool whole(std::int64_t y, std::int64_t x) const noexcept {
    std::int8_t raw[kMaxBasis];
    read_bytes(basis_, data_, y, x, 0, channels_, raw);
    std::int32_t sum = 0;
    for (int k = 0; k < channels_; ++k) sum += whole_[k] * (raw[k] - basis_.quant.zero_point);
    return sum > 0;
  }
  // Multiply, then add, k ascending; NaN is background.
  bool real(std::int64_t y, std::int64_t x) const noexcept {
    float values[kMaxBasis];
    read_values(basis_, data_, y, x, 0, channels_, values);
    float sum = 0;
    for (int k = 0; k < channels_; ++k) sum += real_[k] * values[k];
    return sum > 0.0f;
  }

  const InputPlan& basis_;
  const std::byte* data_;
  int channels_;
  bool exact_ = false;
  std::int32_t whole_[kMaxBasis];
  float real_[kMaxBasis];
};

void draw_mask(const MaskRule& rule, const Crop& crop, std::int32_t width, std::byte* mask) noexcept {
  for (std::int32_t y = crop.y1; y < crop.y2; ++y) {
    for (std::int32_t x = crop.x1; x < crop.x2; ++x) {
      mask[std::int64_t{y} * width + x] = static_cast<std::byte>(rule.foreground(y, x));
    }
  }
}

}  // namespace

void emit_masks(const PlanData& plan, std::span<const Kept> kept, const Candidate* candidates,
                const Bindings& bindings) noexcept {
  std::memset(bindings.outputs[4].data(), 0, static_cast<std::size_t>(plan.outputs[4].bytes));
  const std::int64_t mask_bytes = std::int64_t{plan.task.basis_h} * plan.task.basis_w;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Origin from = origin_of(plan, candidates[kept[i].candidate].ordinal());
    draw_mask(MaskRule(plan, from, bindings), crop_of(plan.task, kept[i].box), plan.task.basis_w,
              bindings.outputs[4].data() + static_cast<std::int64_t>(i) * mask_bytes);
  }
}

}  // namespace tessera::boxdecode
