#include "device/reference/loops.h"
#include "device/reference/reference.h"
#include "kernels/activation/activation_value.h"

namespace tessera {
namespace {

class AddReference final : public reference::RowImpl {
 public:
  explicit AddReference(const ImplContext& context)
      : RowImpl(context), act_(std::get<AddAttrs>(context.node->attrs).act) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::int64_t c = 0; c < args.output.c; ++c) {
        double sum = 0;
        for (const TensorRef& input : args.inputs) sum += reference::pixel(input, n, y, x)[c];
        dst[c] = static_cast<float>(activation_value(sum, act_));
      }
    }
  }

  ActivationSpec act_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_add_reference(const ImplContext& context) {
  return std::make_unique<AddReference>(context);
}

}  // namespace tessera
