#include "kernels/depthwise/depthwise.h"

#include <algorithm>

#include "kernels/depthwise/kernels.h"

namespace tessera {
namespace {

constexpr Variant<const DepthwiseKernel> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, &kDepthwiseAvx512},
    {"avx2", Isa::avx2, &kDepthwiseAvx2},
#elif defined(TESSERA_NEON)
    {"neon", Isa::neon, &kDepthwiseNeon},
#endif
    {"scalar", Isa::none, &kDepthwiseScalar},
};

// A depthwise task does a few multiply-adds per float it moves: about a microsecond.
constexpr std::int64_t kMinTaskMacs = 30'000;

}  // namespace

std::span<const Variant<const DepthwiseKernel>> depthwise_variants() { return kVariants; }

Depthwise::Depthwise(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                     const DepthwiseKernel& kernel, int threads)
    : shape_(shape),
      epilogue_(epilogue),
      kernel_(&kernel),
      blocks_((shape.oc + kernel.lanes - 1) / kernel.lanes),
      weights_(blocks_ * shape.kh * shape.kw * kernel.lanes),
      bias_(blocks_ * kernel.lanes) {
  const std::int64_t taps = shape.kh * shape.kw, lanes = kernel.lanes;
  for (std::int64_t c = 0; c < shape.oc; ++c) {
    const std::int64_t block = c / lanes, lane = c % lanes;
    for (std::int64_t t = 0; t < taps; ++t) weights_.data()[(block * taps + t) * lanes + lane] = weights[c * taps + t];
    bias_.data()[c] = bias ? bias[c] : 0.0f;
  }
  const std::int64_t rows = shape.mb * shape.oh, macs = rows * shape.ow * shape.oc * taps;
  if (threads > 1) tasks_ = std::clamp<std::int64_t>(macs / kMinTaskMacs, 1, std::min<std::int64_t>(rows, 4 * threads));
}

void Depthwise::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const std::int64_t rows = shape_.mb * shape_.oh, index = static_cast<std::int64_t>(task);
  const std::int64_t end = (index + 1) * rows / tasks_;
  for (std::int64_t row = index * rows / tasks_; row < end; ++row) run_row(row, operands);
}

void Depthwise::run_row(std::int64_t row, const ConvOperands& operands) const noexcept {
  const ConvShape& s = shape_;
  const std::int64_t iy = row % s.oh * s.sh - s.pt, lanes = kernel_->lanes;
  // Tap rows inside the image: [from, to).
  std::int64_t from = 0, to = s.kh;
  while (from < to && iy + from * s.dh < 0) ++from;
  while (to > from && iy + (to - 1) * s.dh >= s.ih) --to;
  const float* line = operands.src + (row / s.oh * s.ih + iy + from * s.dh) * s.iw * operands.src_stride;
  const std::int64_t first = row * s.ow;
  for (std::int64_t block = 0; block < blocks_; ++block) {
    const std::int64_t channel = block * lanes;
    const float* residual =
        operands.residual ? operands.residual + first * operands.residual_stride + channel : nullptr;
    kernel_->row({.src = line + channel,
                  .src_row = s.dh * s.iw * operands.src_stride,
                  .src_stride = operands.src_stride,
                  .weights = weights_.data() + (block * s.kh + from) * s.kw * lanes,
                  .start = bias_.data() + channel,
                  .taps_down = to - from,
                  .iw = s.iw,
                  .ow = s.ow,
                  .kw = s.kw,
                  .sw = s.sw,
                  .dw = s.dw,
                  .pl = s.pl,
                  .channels = static_cast<int>(std::min(lanes, s.oc - channel)),
                  .dst = operands.dst + first * operands.dst_stride + channel,
                  .dst_stride = operands.dst_stride,
                  .residual = residual,
                  .residual_stride = operands.residual_stride,
                  .epilogue = &epilogue_,
                  .scratch = reinterpret_cast<float*>(operands.scratch)});
  }
}

}  // namespace tessera
