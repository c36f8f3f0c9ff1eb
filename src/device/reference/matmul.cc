#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class MatMulReference final : public reference::ElementImpl {
 public:
  explicit MatMulReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<MatMulAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    const std::int64_t place = index / (attrs_.m * attrs_.n), row = index / attrs_.n % attrs_.m;
    const std::int64_t a = reference::at_place(place, attrs_.batch, attrs_.a_strides, row * attrs_.k);
    const std::int64_t b = reference::at_place(place, attrs_.batch, attrs_.b_strides, index % attrs_.n);
    double sum = 0;
    for (std::int64_t i = 0; i < attrs_.k; ++i) {
      sum += double{reference::element(args.inputs[0], a + i)} * reference::element(args.inputs[1], b + i * attrs_.n);
    }
    return sum;
  }

  MatMulAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_matmul_reference(const ImplContext& context) {
  return std::make_unique<MatMulReference>(context);
}

}  // namespace tessera
