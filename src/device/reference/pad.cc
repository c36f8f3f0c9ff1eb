#include "device/reference/linear.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class PadReference final : public reference::ElementImpl {
 public:
  explicit PadReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<PadAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    std::int64_t at[4], source = 0;
    const std::int64_t out[] = {args.output.n, args.output.h, args.output.w, args.output.c};
    const std::int64_t in[] = {args.inputs[0].n, args.inputs[0].h, args.inputs[0].w, args.inputs[0].c};
    for (int axis = 3; axis >= 0; --axis) {
      at[axis] = index % out[axis] - attrs_.begin[axis];
      index /= out[axis];
    }
    for (int axis = 0; axis < 4; ++axis) {
      const auto from = inside(at[axis], in[axis]);
      if (!from) return attrs_.value;
      source = source * in[axis] + *from;
    }
    return reference::element(args.inputs[0], source);
  }

  // The line that a place inside or outside of the input shows; none for the padding value.
  std::optional<std::int64_t> inside(std::int64_t i, std::int64_t extent) const noexcept {
    if (i >= 0 && i < extent) return i;
    if (attrs_.mode == PadMode::constant) return std::nullopt;
    if (attrs_.mode == PadMode::edge) return i < 0 ? 0 : extent - 1;
    return i < 0 ? -i : 2 * (extent - 1) - i;
  }

  PadAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_pad_reference(const ImplContext& context) {
  return std::make_unique<PadReference>(context);
}

}  // namespace tessera
