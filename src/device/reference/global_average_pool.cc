#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class GlobalAveragePoolReference final : public reference::RowImpl {
 public:
  explicit GlobalAveragePoolReference(const ImplContext& context) : RowImpl(context) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    const TensorRef& src = args.inputs[0];
    for (std::int64_t c = 0; c < args.output.c; ++c) {
      double sum = 0;
      for (std::int64_t sy = 0; sy < src.h; ++sy) {
        for (std::int64_t sx = 0; sx < src.w; ++sx) sum += reference::pixel(src, n, sy, sx)[c];
      }
      reference::pixel(args.output, n, y, 0)[c] = static_cast<float>(sum / static_cast<double>(src.h * src.w));
    }
  }
};

}  // namespace

std::unique_ptr<NodeImpl> make_global_average_pool_reference(const ImplContext& context) {
  return std::make_unique<GlobalAveragePoolReference>(context);
}

}  // namespace tessera
