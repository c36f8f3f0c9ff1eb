#include "device/reference/linear.h"
#include "device/reference/reference.h"
#include "kernels/activation/activation_value.h"
#include "kernels/function/function_value.h"

namespace tessera {
namespace {

class BinaryReference final : public reference::ElementImpl {
 public:
  explicit BinaryReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<BinaryAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    const double a = reference::element(args.inputs[0], reference::at_place(index, attrs_.dims, attrs_.a_strides, 0));
    const double b = reference::element(args.inputs[1], reference::at_place(index, attrs_.dims, attrs_.b_strides, 0));
    return activation_value(binary_value(attrs_.kind, a, b), attrs_.act);
  }

  BinaryAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_binary_reference(const ImplContext& context) {
  return std::make_unique<BinaryReference>(context);
}

}  // namespace tessera
