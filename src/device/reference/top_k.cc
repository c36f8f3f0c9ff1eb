#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/reference/loops.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

// Sorts the positions of each pixel's channels, in scratch.
class TopKReference final : public reference::RowImpl {
 public:
  explicit TopKReference(const ImplContext& context)
      : RowImpl(context),
        attrs_(std::get<TopKAttrs>(context.node->attrs)),
        channels_(extents(context.graph->value(context.node->inputs[0]).spec).c) {}
  std::size_t scratch_bytes() const noexcept override { return static_cast<std::size_t>(channels_) * sizeof(int); }

 private:
  void run_row(std::int64_t n, std::int64_t y, const NodeArgs& args) const noexcept override {
    const std::span<int> order(reinterpret_cast<int*>(args.scratch), static_cast<std::size_t>(channels_));
    for (std::int64_t x = 0; x < args.output.w; ++x) {
      const float* src = reference::pixel(args.inputs[0], n, y, x);
      float* dst = reference::pixel(args.output, n, y, x);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::sort(order, [&](int a, int b) { return before(src[a], src[b], a, b); });
      for (std::int64_t i = 0; i < attrs_.k; ++i) {
        const int at = order[static_cast<std::size_t>(i)];
        dst[i] = attrs_.indices ? static_cast<float>(at) : src[at];
      }
    }
  }

  bool before(float a, float b, int at_a, int at_b) const noexcept {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? at_a < at_b : std::isnan(b);
    if (a != b) return attrs_.largest ? a > b : a < b;
    return at_a < at_b;
  }

  TopKAttrs attrs_;
  std::int64_t channels_;
};

}  // namespace

std::unique_ptr<NodeImpl> make_top_k_reference(const ImplContext& context) {
  return std::make_unique<TopKReference>(context);
}

}  // namespace tessera
