#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class SelectReference final : public reference::ElementImpl {
 public:
  explicit SelectReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<SelectAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    const auto operand = [&](std::size_t input, const Dims& strides) {
      return reference::element(args.inputs[input], reference::at_place(index, attrs_.dims, strides, 0));
    };
    return operand(0, attrs_.c_strides) != 0 ? operand(1, attrs_.a_strides) : operand(2, attrs_.b_strides);
  }

  SelectAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_select_reference(const ImplContext& context) {
  return std::make_unique<SelectReference>(context);
}

}  // namespace tessera
