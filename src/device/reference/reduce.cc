#include <cmath>
#include <limits>

#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Takes numbers one by one.
class Reduction {
 public:
  Reduction(ReduceKind kind, bool select_last) : kind_(kind), select_last_(select_last) {}

  void take(double x) {
    sum_ += kind_ == ReduceKind::l2 ? x * x : x;
    product_ *= x;
    if (!std::isnan(x) && (std::isnan(best_) || better(x))) best_ = x, best_at_ = count_;
    has_nan_ = has_nan_ || std::isnan(x);
    ++count_;
  }
  double result() const {
    switch (kind_) {
      case ReduceKind::mean:
        return sum_ / static_cast<double>(count_);
      case ReduceKind::sum:
        return sum_;
      case ReduceKind::l2:
        return std::sqrt(sum_);
      case ReduceKind::prod:
        return product_;
      case ReduceKind::max:
      case ReduceKind::min:
        return has_nan_ ? std::numeric_limits<double>::quiet_NaN() : best_;
      case ReduceKind::argmax:
      case ReduceKind::argmin:
        break;
    }
    return static_cast<double>(best_at_);
  }

 private:
  bool better(double x) const {
    const bool low = kind_ == ReduceKind::min || kind_ == ReduceKind::argmin;
    return (low ? x < best_ : x > best_) || (select_last_ && x == best_);
  }

  ReduceKind kind_;
  bool select_last_, has_nan_ = false;
  double sum_ = 0, product_ = 1, best_ = std::numeric_limits<double>::quiet_NaN();
  std::int64_t best_at_ = 0, count_ = 0;
};

class ReduceReference final : public reference::ElementImpl {
 public:
  explicit ReduceReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<ReduceAttrs>(context.node->attrs)) {
    for (std::int64_t extent : attrs_.red_dims) count_ *= extent;
  }

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    const std::int64_t first = reference::at_place(index, attrs_.out_dims, attrs_.out_strides, 0);
    Reduction reduction(attrs_.kind, attrs_.select_last);
    for (std::int64_t i = 0; i < count_; ++i) {
      reduction.take(
          reference::element(args.inputs[0], reference::at_place(i, attrs_.red_dims, attrs_.red_strides, first)));
    }
    return reduction.result();
  }

  ReduceAttrs attrs_;
  std::int64_t count_ = 1;
};

}  // namespace

std::unique_ptr<NodeImpl> make_reduce_reference(const ImplContext& context) {
  return std::make_unique<ReduceReference>(context);
}

}  // namespace tessera
