#include "device/reference/loops.h"
#include "device/reference/reference.h"
#include "kernels/activation/activation_value.h"

namespace tessera {
namespace {

class ActivationReference final : public reference::RowImpl {
 public:
  explicit ActivationReference(const ImplContext& context)
      : RowImpl(context), act_(std::get<ActivationAttrs>(context.node->attrs).act) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* src = reference::pixel(args.inputs[0], n, y, x);
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::int64_t c = 0; c < args.output.c; ++c) dst[c] = static_cast<float>(activation_value(src[c], act_));
    }
  }

  ActivationSpec act_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_activation_reference(const ImplContext& context) {
  return std::make_unique<ActivationReference>(context);
}

}  // namespace tessera
