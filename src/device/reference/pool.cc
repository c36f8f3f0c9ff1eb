#include <algorithm>
#include <limits>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// The part of a pooling window that lies on the image along one axis; the verifier made sure that it is not empty.
struct Window {
  std::int64_t begin, end;
};
Window window(std::int64_t out, int kernel, int stride, int pad, std::int64_t extent) {
  const std::int64_t begin = out * stride - pad;
  return {std::max<std::int64_t>(begin, 0), std::min(begin + kernel, extent)};
}

class PoolReference final : public reference::RowImpl {
 public:
  explicit PoolReference(const ImplContext& context)
      : RowImpl(context), pool_(std::get<PoolAttrs>(context.node->attrs)) {}

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    const TensorRef& src = args.inputs[0];
    const Window rows = window(y, pool_.kh, pool_.sh, pool_.pad.top, src.h);
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const Window columns = window(x, pool_.kw, pool_.sw, pool_.pad.left, src.w);
      float* dst = reference::pixel(args.output, n, y, x);
      for (std::int64_t c = 0; c < args.output.c; ++c) dst[c] = reduce(src, n, rows, columns, c);
    }
  }

  float reduce(const TensorRef& src, std::int64_t n, Window rows, Window columns, std::int64_t c) const noexcept {
    float greatest = -std::numeric_limits<float>::infinity();
    double sum = 0;
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
      for (std::int64_t x = columns.begin; x < columns.end; ++x) {
        const float value = reference::pixel(src, n, y, x)[c];
        greatest = std::max(greatest, value);
        sum += value;
      }
    }
    if (pool_.kind == PoolAttrs::Kind::max) return greatest;
    return static_cast<float>(sum / static_cast<double>((rows.end - rows.begin) * (columns.end - columns.begin)));
  }

  PoolAttrs pool_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_pool_reference(const ImplContext& context) {
  return std::make_unique<PoolReference>(context);
}

}  // namespace tessera
