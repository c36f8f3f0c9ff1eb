#include <algorithm>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Channels [begin, begin + c) of the input; an identity is the slice of everything.
class SliceReference final : public reference::RowImpl {
 public:
  SliceReference(const ImplContext& context, std::int64_t begin) : RowImpl(context), begin_(begin) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* src = reference::pixel(args.inputs[0], n, y, x) + begin_;
      std::copy(src, src + args.output.c, reference::pixel(args.output, n, y, x));
    }
  }

  std::int64_t begin_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_slice_reference(const ImplContext& context) {
  return std::make_unique<SliceReference>(context, std::get<SliceAttrs>(context.node->attrs).begin);
}

std::unique_ptr<NodeImpl> make_identity_reference(const ImplContext& context) {
  return std::make_unique<SliceReference>(context, 0);
}

}  // namespace tessera
