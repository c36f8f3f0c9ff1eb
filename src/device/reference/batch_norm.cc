#include <cmath>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

class BatchNormReference final : public reference::RowImpl {
 public:
  explicit BatchNormReference(const ImplContext& context)
      : RowImpl(context), norm_(std::get<BatchNormAttrs>(context.node->attrs)) {}

  std::size_t constant_bytes() const noexcept override { return 4 * norm_.gamma->size() * sizeof(float); }

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* src = reference::pixel(args.inputs[0], n, y, x);
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::size_t c = 0; c < norm_.gamma->size(); ++c) {
        const double deviation = std::sqrt(double{(*norm_.variance)[c]} + norm_.epsilon);
        dst[c] =
            static_cast<float>((*norm_.gamma)[c] * (double{src[c]} - (*norm_.mean)[c]) / deviation + (*norm_.beta)[c]);
      }
    }
  }

  BatchNormAttrs norm_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_batch_norm_reference(const ImplContext& context) {
  return std::make_unique<BatchNormReference>(context);
}

}  // namespace tessera
