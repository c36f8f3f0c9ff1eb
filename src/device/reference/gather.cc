#include "device/reference/linear.h"
#include "device/reference/reference.h"
#include "kernels/gather/position.h"

namespace tessera {
namespace {

class GatherReference final : public reference::ElementImpl {
 public:
  explicit GatherReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<GatherAttrs>(context.node->attrs)) {
    const Shape4& out = attrs_.shape;
    per_outer_ = out[0] * out[1] * out[2] * out[3] / (attrs_.outer * attrs_.inner);
  }

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    const std::int64_t inner = index % attrs_.inner;
    const std::int64_t outer = index / (per_outer_ * attrs_.inner), j = index / attrs_.inner % per_outer_;
    const float wanted = reference::element(args.inputs[1], attrs_.elements ? index : j);
    return reference::element(args.inputs[0],
                              (outer * attrs_.axis + gather_position(wanted, attrs_.axis)) * attrs_.inner + inner);
  }

  GatherAttrs attrs_;
  std::int64_t per_outer_;  ///< places along the axis in the output
};

}  // namespace

std::unique_ptr<NodeImpl> make_gather_reference(const ImplContext& context) {
  return std::make_unique<GatherReference>(context);
}

}  // namespace tessera
