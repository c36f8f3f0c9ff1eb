#include "device/reference/linear.h"
#include "device/reference/reference.h"
#include "kernels/function/function_value.h"

namespace tessera {
namespace {

class UnaryReference final : public reference::ElementImpl {
 public:
  explicit UnaryReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<UnaryAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    return unary_value(attrs_.kind, reference::element(args.inputs[0], index), attrs_.alpha, attrs_.beta);
  }

  UnaryAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_unary_reference(const ImplContext& context) {
  return std::make_unique<UnaryReference>(context);
}

}  // namespace tessera
