#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class ConcatDimsReference final : public reference::ElementImpl {
 public:
  explicit ConcatDimsReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<ConcatDimsAttrs>(context.node->attrs)) {
    for (std::int64_t inner : attrs_.inner) run_ += inner;
  }

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    std::int64_t in_run = index % run_;
    std::size_t input = 0;
    while (in_run >= attrs_.inner[input]) in_run -= attrs_.inner[input++];
    return reference::element(args.inputs[input], index / run_ * attrs_.inner[input] + in_run);
  }

  ConcatDimsAttrs attrs_;
  std::int64_t run_ = 0;  ///< of all inputs together
};

}  // namespace

std::unique_ptr<NodeImpl> make_concat_dims_reference(const ImplContext& context) {
  return std::make_unique<ConcatDimsReference>(context);
}

}  // namespace tessera
