#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class UpsampleReference final : public reference::RowImpl {
 public:
  explicit UpsampleReference(const ImplContext& context)
      : RowImpl(context), upsample_(std::get<UpsampleAttrs>(context.node->attrs)) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* src = reference::pixel(args.inputs[0], n, y / upsample_.factor_h, x / upsample_.factor_w);
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::int64_t c = 0; c < args.output.c; ++c) dst[c] = src[c] * upsample_.scale;
    }
  }

  UpsampleAttrs upsample_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_upsample_reference(const ImplContext& context) {
  return std::make_unique<UpsampleReference>(context);
}

}  // namespace tessera
