#include "device/reference/loops.h"
#include "device/reference/reference.h"
#include "kernels/activation/activation_value.h"

namespace tessera {
namespace {

using reference::pixel;

class ConvReference final : public reference::RowImpl {
 public:
  explicit ConvReference(const ImplContext& context)
      : RowImpl(context), conv_(std::get<ConvAttrs>(context.node->attrs)) {}

  std::size_t constant_bytes() const noexcept override {
    return (conv_.weights->size() + (conv_.bias ? conv_.bias->size() : 0)) * sizeof(float);
  }

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      float* dst = pixel(args.output, n, y, x);
      const float* residual = conv_.epilogue.residual ? pixel(args.inputs.back(), n, y, x) : nullptr;
      for (int oc = 0; oc < conv_.oc; ++oc) {
        double value = sum(args.inputs[0], n, y, x, oc);
        if (conv_.bias) value += (*conv_.bias)[static_cast<std::size_t>(oc)];
        value = activation_value(value, conv_.epilogue.act);
        if (residual) value = activation_value(value + residual[oc], conv_.epilogue.post_act);
        dst[oc] = static_cast<float>(value);
      }
    }
  }

  // Taps outside the image are zeros, so they are left out.
  double sum(const TensorRef& src, std::int64_t n, std::int64_t y, std::int64_t x, int oc) const noexcept {
    const std::int64_t ic = src.c / conv_.groups;
    const std::int64_t first = oc / (conv_.oc / conv_.groups) * ic;  // first source channel of this output's group
    double total = 0;
    for (int ky = 0; ky < conv_.kh; ++ky) {
      const std::int64_t sy = y * conv_.sh - conv_.pad.top + std::int64_t{ky} * conv_.dh;
      if (sy < 0 || sy >= src.h) continue;
      for (int kx = 0; kx < conv_.kw; ++kx) {
        const std::int64_t sx = x * conv_.sw - conv_.pad.left + std::int64_t{kx} * conv_.dw;
        if (sx < 0 || sx >= src.w) continue;
        const float* in = pixel(src, n, sy, sx) + first;
        for (std::int64_t i = 0; i < ic; ++i) total += double{in[i]} * weight(oc, i, ic, ky, kx);
      }
    }
    return total;
  }

  double weight(std::int64_t oc, std::int64_t i, std::int64_t ic, int ky, int kx) const noexcept {
    return (*conv_.weights)[static_cast<std::size_t>(((oc * ic + i) * conv_.kh + ky) * conv_.kw + kx)];
  }

  ConvAttrs conv_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_conv_reference(const ImplContext& context) {
  return std::make_unique<ConvReference>(context);
}

}  // namespace tessera
