#include <algorithm>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Copies only the inputs that the planner could not place inside the output: the others are already there.
class ConcatReference final : public reference::RowImpl {
 public:
  explicit ConcatReference(const ImplContext& context) : RowImpl(context) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    std::int64_t channel = 0;
    for (const TensorRef& src : args.inputs) {
      if (src.data != args.output.data + channel) copy_row(src, channel, n, y, args.output);
      channel += src.c;
    }
  }

  static void copy_row(const TensorRef& src, std::int64_t channel, std::int64_t n, std::int64_t y,
                       const TensorRef& output) {
    for (std::int64_t x = 0; x < output.w; ++x) {
      const float* from = reference::pixel(src, n, y, x);
      std::copy(from, from + src.c, reference::pixel(output, n, y, x) + channel);
    }
  }
};

}  // namespace

std::unique_ptr<NodeImpl> make_concat_reference(const ImplContext& context) {
  return std::make_unique<ConcatReference>(context);
}

}  // namespace tessera
