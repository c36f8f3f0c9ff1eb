#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Sorts only the k first.
class TopKPartial final : public cpu::RowsImpl {
 public:
  explicit TopKPartial(const ImplContext& context) : TopKPartial(context, cpu::input_extents(context, 0)) {}
  std::size_t scratch_bytes() const noexcept override { return static_cast<std::size_t>(channels_) * sizeof(int); }

 private:
  TopKPartial(const ImplContext& context, const Extents& in)
      : RowsImpl(in.n, in.h, in.w * in.c * 8, context.threads),  // a comparison sort costs some 8 passes
        attrs_(std::get<TopKAttrs>(context.node->attrs)),
        channels_(in.c) {}

  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const std::int64_t pixels = (end - begin) * args.output.w;
    const Pixels src = cpu::pixels_from(args.inputs[0], n, begin);
    const MutablePixels dst = cpu::pixels_to(args.output, n, begin);
    for (std::int64_t p = 0; p < pixels; ++p) {
      take(src.data + p * src.stride, dst.data + p * dst.stride, reinterpret_cast<int*>(args.scratch));
    }
  }

  void take(const float* src, float* dst, int* order) const noexcept {
    std::iota(order, order + channels_, 0);
    std::partial_sort(order, order + attrs_.k, order + channels_, [&](int a, int b) {
      const float x = attrs_.largest ? src[a] : src[b], y = attrs_.largest ? src[b] : src[a];
      if (std::isnan(x) || std::isnan(y)) return std::isnan(src[a]) ? std::isnan(src[b]) && a < b : true;
      return x != y ? x > y : a < b;
    });
    for (std::int64_t i = 0; i < attrs_.k; ++i) dst[i] = attrs_.indices ? static_cast<float>(order[i]) : src[order[i]];
  }

  TopKAttrs attrs_;
  std::int64_t channels_;
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<TopKPartial>(context); }

constexpr NodeImplInfo kImpls[] = {{"top_k_partial", Isa::none, takes_all, make}, kTopKReference};

}  // namespace

std::span<const NodeImplInfo> cpu_top_k_impls() { return kImpls; }

}  // namespace tessera
