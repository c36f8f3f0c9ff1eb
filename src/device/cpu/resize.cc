#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Four pixels give one. Along the width, then along the height, as the reference does, each step rounded to float.
void blend(const float* const corner[4], float wx, float wy, float* dst, std::int64_t c) {
  const float *top_lo = corner[0], *top_hi = corner[1], *bottom_lo = corner[2], *bottom_hi = corner[3];
  for (std::int64_t i = 0; i < c; ++i) {
    const float top = top_lo[i] + wx * (top_hi[i] - top_lo[i]);
    const float bottom = bottom_lo[i] + wx * (bottom_hi[i] - bottom_lo[i]);
    dst[i] = top + wy * (bottom - top);
  }
}

class ResizeRows final : public cpu::RowsImpl {
 public:
  explicit ResizeRows(const ImplContext& context) : ResizeRows(context, cpu::output_extents(context)) {}

 private:
  ResizeRows(const ImplContext& context, const Extents& out)
      : RowsImpl(out.n, out.h, out.w * out.c, context.threads), attrs_(std::get<ResizeAttrs>(context.node->attrs)) {}

  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    for (std::int64_t y = begin; y < end; ++y) {
      if (attrs_.kind == ResizeKind::nearest) {
        nearest_row(n, y, args);
      } else {
        linear_row(n, y, args);
      }
    }
  }

  void nearest_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept {
    const TensorRef& src = args.inputs[0];
    const float* from = cpu::row(src, n, attrs_.y_lo[static_cast<std::size_t>(y)]);
    float* dst = cpu::row(args.output, n, y);
    for (const std::int32_t x : attrs_.x_lo) {
      std::copy_n(from + x * src.pixel_stride, src.c, dst);
      dst += args.output.pixel_stride;
    }
  }

  void linear_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept {
    const TensorRef& src = args.inputs[0];
    const auto line = static_cast<std::size_t>(y);
    const float *top = cpu::row(src, n, attrs_.y_lo[line]), *bottom = cpu::row(src, n, attrs_.y_hi[line]);
    float* dst = cpu::row(args.output, n, y);
    for (std::size_t x = 0; x < attrs_.x_lo.size(); ++x) {
      const std::int64_t lo = attrs_.x_lo[x] * src.pixel_stride, hi = attrs_.x_hi[x] * src.pixel_stride;
      const float* const corner[] = {top + lo, top + hi, bottom + lo, bottom + hi};
      blend(corner, attrs_.x_w[x], attrs_.y_w[line], dst, src.c);
      dst += args.output.pixel_stride;
    }
  }

  ResizeAttrs attrs_;
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<ResizeRows>(context); }

constexpr NodeImplInfo kImpls[] = {{"resize_rows", Isa::none, takes_all, make}, kResizeReference};

}  // namespace

std::span<const NodeImplInfo> cpu_resize_impls() { return kImpls; }

}  // namespace tessera
