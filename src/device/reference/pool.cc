#include <algorithm>
#include <limits>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// A pooling window along one axis. Only its taps on the image count; the verifier made sure that there are some.
struct Window {
  std::int64_t begin, step;
  int taps;
};
Window window(std::int64_t out, int kernel, int stride, int pad, int dilation) {
  return {out * stride - pad, dilation, kernel};
}

class PoolReference final : public reference::RowImpl {
 public:
  explicit PoolReference(const ImplContext& context)
      : RowImpl(context), pool_(std::get<PoolAttrs>(context.node->attrs)) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    const TensorRef& src = args.inputs[0];
    const Window rows = window(y, pool_.kh, pool_.sh, pool_.pad.top, pool_.dh);
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const Window columns = window(x, pool_.kw, pool_.sw, pool_.pad.left, pool_.dw);
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::int64_t c = 0; c < args.output.c; ++c) dst[c] = reduce(src, n, rows, columns, c);
    }
  }

  float reduce(const TensorRef& src, std::int64_t n, Window rows, Window columns, std::int64_t c) const noexcept {
    float greatest = -std::numeric_limits<float>::infinity();
    double sum = 0;
    std::int64_t count = 0;
    for (int i = 0; i < rows.taps; ++i) {
      const std::int64_t y = rows.begin + i * rows.step;
      for (int j = 0; j < columns.taps; ++j) {
        const std::int64_t x = columns.begin + j * columns.step;
        if (y < 0 || y >= src.h || x < 0 || x >= src.w) continue;
        const float value = reference::pixel(src, n, y, x)[c];
        greatest = std::max(greatest, value);
        sum += value;
        ++count;
      }
    }
    if (pool_.kind == PoolAttrs::Kind::max) return greatest;
    if (pool_.count_include_pad) count = std::int64_t{pool_.kh} * pool_.kw;
    return static_cast<float>(sum / static_cast<double>(count));
  }

  PoolAttrs pool_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_pool_reference(const ImplContext& context) {
  return std::make_unique<PoolReference>(context);
}

}  // namespace tessera
