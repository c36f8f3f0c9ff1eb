#pragma once
// What the reference loops share: the address of a pixel, the activations in double, one task per output row.

#include <algorithm>
#include <cmath>

#include "base/activation.h"
#include "device/node_impl.h"

namespace tessera::reference {

/// The channels of pixel (n, y, x).
inline float* pixel(const TensorRef& t, std::int64_t n, std::int64_t y, std::int64_t x) {
  return t.data + ((n * t.h + y) * t.w + x) * t.pixel_stride;
}

/// The formulas as written in graph.h's words; the caller rounds once.
inline double activate(const ActivationSpec& act, double x) {
  switch (act.kind) {
    case Activation::linear:
      return x;
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::relu6:
      return std::clamp(x, 0.0, 6.0);
    case Activation::leaky:
      return x < 0 ? act.alpha * x : x;
    case Activation::mish:
      return x * std::tanh(std::log1p(std::exp(x)));
    case Activation::hard_mish:
      return x * std::clamp(x + 2, 0.0, 2.0) / 2;
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::logistic:
      return 1 / (1 + std::exp(-x));
    case Activation::hard_swish:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Activation::tanh:
      return std::tanh(x);
  }
  return x;
}

/// An operator computed one output row at a time: task i is row i, images following one another.
class RowImpl : public NodeImpl {
 public:
  explicit RowImpl(const ImplContext& context) {
    const Extents out = extents(context.graph->value(context.node->output).spec);
    rows_ = static_cast<std::size_t>(out.n * out.h);
  }
  std::size_t tasks() const noexcept override { return rows_; }
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto row = static_cast<std::int64_t>(task);
    run_row(row / args.output.h, row % args.output.h, args);
  }

 private:
  virtual void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept = 0;
  std::size_t rows_;
};

}  // namespace tessera::reference
