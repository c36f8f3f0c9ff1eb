#include "device/reference/linear.h"
#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class ResizeReference final : public reference::ElementImpl {
 public:
  explicit ResizeReference(const ImplContext& context)
      : ElementImpl(context), attrs_(std::get<ResizeAttrs>(context.node->attrs)) {}

 private:
  double value(std::int64_t index, const NodeArgs& args) const noexcept override {
    const std::int64_t c = index % args.output.c, x = index / args.output.c % args.output.w;
    const std::int64_t y = index / (args.output.c * args.output.w) % args.output.h;
    const std::int64_t n = index / (args.output.c * args.output.w * args.output.h);
    const auto row = static_cast<std::size_t>(y), column = static_cast<std::size_t>(x);
    const auto source = [&](std::int64_t sy, std::int64_t sx) {
      return double{reference::pixel(args.inputs[0], n, sy, sx)[c]};
    };
    if (attrs_.kind == ResizeKind::nearest) return source(attrs_.y_lo[row], attrs_.x_lo[column]);
    const auto along_row = [&](std::int64_t sy) {
      const double lo = source(sy, attrs_.x_lo[column]), hi = source(sy, attrs_.x_hi[column]);
      return lo + attrs_.x_w[column] * (hi - lo);
    };
    const double top = along_row(attrs_.y_lo[row]), bottom = along_row(attrs_.y_hi[row]);
    return top + attrs_.y_w[row] * (bottom - top);
  }

  ResizeAttrs attrs_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_resize_reference(const ImplContext& context) {
  return std::make_unique<ResizeReference>(context);
}

}  // namespace tessera
