#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class RearrangeReference final : public reference::ElementImpl {
 public:
  explicit RearrangeReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<RearrangeAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    return reference::element(args.inputs[0], reference::at_place(index, attrs_.dims, attrs_.strides, attrs_.offset));
  }

  RearrangeAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_rearrange_reference(const ImplContext& context) {
  return std::make_unique<RearrangeReference>(context);
}

}  // namespace tessera
