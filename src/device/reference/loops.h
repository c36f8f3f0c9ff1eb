#pragma once
// What the reference loops share: the address of a pixel, one task per output row.

#include "device/node_impl.h"

namespace tessera::reference {

/// The channels of pixel (n, y, x).
inline float* pixel(const TensorRef& t, std::int64_t n, std::int64_t y, std::int64_t x) {
  return t.data + ((n * t.h + y) * t.w + x) * t.pixel_stride;
}

/// An operator computed one output row at a time: task i is row i, images following one another.
class RowImpl : public NodeImpl {
 public:
  explicit RowImpl(const ImplContext& context) {
    const Extents out = extents(context.graph->value(context.node->output).spec);
    rows_ = static_cast<std::size_t>(out.n * out.h);
  }
  std::size_t tasks() const noexcept override { return rows_; }
  void run(std::size_t task, const NodeArgs& args) const noexcept override {
    const auto row = static_cast<std::int64_t>(task);
    run_row(row / args.output.h, row % args.output.h, args);
  }

 private:
  virtual void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept = 0;
  std::size_t rows_;
};

}  // namespace tessera::reference
