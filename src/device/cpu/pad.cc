#include <algorithm>

#include "device/cpu/cpu.h"
#include "device/cpu/rows.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

constexpr std::int64_t kFill = -1;

// Which line of the input each line of the output shows; kFill: the padding value.
std::vector<std::int64_t> line_table(PadMode mode, std::int64_t in, std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> table;
  for (std::int64_t i = -begin; i < in + end; ++i) {
    const bool inside = i >= 0 && i < in;
    if (mode == PadMode::constant) table.push_back(inside ? i : kFill);
    if (mode == PadMode::edge) table.push_back(std::clamp<std::int64_t>(i, 0, in - 1));
    if (mode == PadMode::reflect) table.push_back(in - 1 - std::abs(in - 1 - std::abs(i)));
  }
  return table;
}

class PadRows final : public cpu::RowsImpl {
 public:
  explicit PadRows(const ImplContext& context) : PadRows(context, cpu::output_extents(context)) {}

 private:
  PadRows(const ImplContext& context, const Extents& out)
      : RowsImpl(out.n, out.h, out.w * out.c, context.threads), value_(std::get<PadAttrs>(context.node->attrs).value) {
    const auto& pad = std::get<PadAttrs>(context.node->attrs);
    const Extents in = cpu::input_extents(context, 0);
    const std::int64_t extents[] = {in.n, in.h, in.w, in.c};
    for (int axis = 0; axis < 4; ++axis) {
      lines_[axis] = line_table(pad.mode, extents[axis], pad.begin[axis], pad.end[axis]);
    }
    channels_kept_ = pad.begin[3] == 0 && pad.end[3] == 0;
  }

  void run_rows(std::int64_t n, std::int64_t begin, std::int64_t end, const NodeArgs& args) const noexcept override {
    const std::int64_t image = lines_[0][static_cast<std::size_t>(n)];
    for (std::int64_t y = begin; y < end; ++y) {
      const std::int64_t line = image == kFill ? kFill : lines_[1][static_cast<std::size_t>(y)];
      float* dst = cpu::row(args.output, n, y);
      for (const std::int64_t x : lines_[2]) {
        const bool fill = line == kFill || x == kFill;
        pixel(fill ? nullptr : cpu::row(args.inputs[0], image, line) + x * args.inputs[0].pixel_stride, dst,
              args.output.c);
        dst += args.output.pixel_stride;
      }
    }
  }

  void pixel(const float* src, float* dst, std::int64_t c) const noexcept {
    if (src == nullptr) {
      std::fill_n(dst, c, value_);
    } else if (channels_kept_) {
      std::copy_n(src, c, dst);
    } else {
      for (const std::int64_t channel : lines_[3]) *dst++ = channel == kFill ? value_ : src[channel];
    }
  }

  std::vector<std::int64_t> lines_[4];  ///< per axis, NHWC
  float value_;
  bool channels_kept_ = true;
};

std::unique_ptr<NodeImpl> make(const ImplContext& context) { return std::make_unique<PadRows>(context); }

constexpr NodeImplInfo kImpls[] = {{"pad_rows", Isa::none, takes_all, make}, kPadReference};

}  // namespace

std::span<const NodeImplInfo> cpu_pad_impls() { return kImpls; }

}  // namespace tessera
