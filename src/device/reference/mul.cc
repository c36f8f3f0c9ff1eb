#include "device/reference/loops.h"
#include "device/reference/reference.h"
#include "kernels/activation/activation_value.h"

namespace tessera {
namespace {

class MulReference final : public reference::RowImpl {
 public:
  explicit MulReference(const ImplContext& context)
      : RowImpl(context), act_(std::get<MulAttrs>(context.node->attrs).act) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    const TensorRef& factor = args.inputs[1];  // an extent of 1 is repeated: 1x1xC, HxWx1
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* a = reference::pixel(args.inputs[0], n, y, x);
      const float* b = reference::pixel(factor, n, factor.h == 1 ? 0 : y, factor.w == 1 ? 0 : x);
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::int64_t c = 0; c < args.output.c; ++c) {
        dst[c] = static_cast<float>(activation_value(double{a[c]} * b[factor.c == 1 ? 0 : c], act_));
      }
    }
  }

  ActivationSpec act_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_mul_reference(const ImplContext& context) {
  return std::make_unique<MulReference>(context);
}

}  // namespace tessera
