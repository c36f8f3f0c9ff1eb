#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class FromBytesReference final : public reference::RowImpl {
 public:
  explicit FromBytesReference(const ImplContext& context)
      : RowImpl(context), pixels_(std::get<FromBytesAttrs>(context.node->attrs)) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    const TensorRef& in = args.inputs[0];
    for (std::int64_t x = 0; x < in.w; ++x) {
      const std::uint8_t* src = in.bytes + ((n * in.h + y) * in.w + x) * in.pixel_stride;
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::size_t c = 0; c < pixels_.scale.size(); ++c) {
        const float product = static_cast<float>(src[c]) * pixels_.scale[c];  // as the operator says: rounded twice
        dst[c] = product + pixels_.shift[c];
      }
    }
  }

  FromBytesAttrs pixels_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_from_bytes_reference(const ImplContext& context) {
  return std::make_unique<FromBytesReference>(context);
}

}  // namespace tessera
