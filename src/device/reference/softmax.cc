#include <algorithm>
#include <cmath>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// The greatest logit is subtracted first, so that exp never overflows.
class SoftmaxReference final : public reference::RowImpl {
 public:
  explicit SoftmaxReference(const ImplContext& context) : RowImpl(context) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* src = reference::pixel(args.inputs[0], n, y, x);
      float* dst = reference::pixel(args.output, n, y, x);
      const double greatest = *std::max_element(src, src + args.output.c);
      double sum = 0;
      for (std::int64_t c = 0; c < args.output.c; ++c) sum += std::exp(src[c] - greatest);
      for (std::int64_t c = 0; c < args.output.c; ++c) dst[c] = static_cast<float>(std::exp(src[c] - greatest) / sum);
    }
  }
};

}  // namespace

std::unique_ptr<NodeImpl> make_softmax_reference(const ImplContext& context) {
  return std::make_unique<SoftmaxReference>(context);
}

}  // namespace tessera
