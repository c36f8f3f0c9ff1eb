#include "kernels/depthwise/depthwise.h"

#include <algorithm>
#include <numeric>

#include "kernels/depthwise/kernels.h"
#include "kernels/share.h"

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

// About two microseconds: less is not worth handing to another thread.
constexpr std::int64_t kMinTaskMacs = 100'000;

/// Vectors until channels and lanes begin together again. Where idle lanes would cost much and the weights repeat soon,
/// dense rows of pixels are seen as one run of floats, see depthwise_body.h.
std::int64_t vectors_of_weights(std::int64_t channels, std::int64_t lanes) {
  const std::int64_t period = std::lcm(channels, lanes) / lanes, blocks = (channels + lanes - 1) / lanes;
  return 4 * channels < 3 * blocks * lanes && period < 16 ? period : blocks;
}

/// The kernels work on pairs of rows, so tasks are cut between them.
std::int64_t pairs_of_rows(const ConvShape& s) { return (s.mb * s.oh + 1) / 2; }

}  // namespace

std::span<const Variant<const DepthwiseKernel>> depthwise_variants() { return kVariants; }

Depthwise::Depthwise(const ConvShape& shape, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                     const DepthwiseKernel& kernel, int threads)
    : shape_(shape),
      epilogue_(epilogue),
      kernel_(&kernel),
      vectors_(vectors_of_weights(shape.oc, kernel.lanes)),
      weights_(vectors_ * shape.kh * shape.kw * kernel.lanes),
      bias_(vectors_ * kernel.lanes) {
  const std::int64_t taps = shape.kh * shape.kw, lanes = kernel.lanes;
  for (std::int64_t i = 0; i < vectors_ * lanes; ++i) {
    const std::int64_t c = i % shape.oc, vector = i / lanes, lane = i % lanes;
    for (std::int64_t t = 0; t < taps; ++t) weights_.data()[(vector * taps + t) * lanes + lane] = weights[c * taps + t];
    bias_.data()[i] = bias ? bias[c] : 0.0f;
  }
  const std::int64_t macs = shape.mb * shape.oh * shape.ow * shape.oc * taps;
  tasks_ = std::min(pairs_of_rows(shape), worth_tasks(macs, kMinTaskMacs, threads));
}

void Depthwise::run(std::size_t task, const ConvOperands& operands) const noexcept {
  const ConvShape& s = shape_;
  const std::int64_t pairs = pairs_of_rows(s), index = static_cast<std::int64_t>(task);
  const std::int64_t end = std::min(s.mb * s.oh, (index + 1) * pairs / tasks_ * 2);
  for (std::int64_t row = index * pairs / tasks_ * 2; row < end;) {
    const std::int64_t image = row / s.oh, from = row % s.oh, to = std::min(s.oh, from + end - row);
    ConvOperands of_image = operands;
    of_image.src += image * s.ih * s.iw * operands.src_stride;
    of_image.dst += image * s.oh * s.ow * operands.dst_stride;
    if (operands.residual) of_image.residual += image * s.oh * s.ow * operands.residual_stride;
    run_rows(from, to, of_image);
    row += to - from;
  }
}

void Depthwise::run_rows(std::int64_t from, std::int64_t to, const ConvOperands& operands) const noexcept {
  kernel_->rows({.shape = &shape_,
                 .epilogue = &epilogue_,
                 .from = from,
                 .to = to,
                 .vectors = vectors_,
                 .weights = weights_.data(),
                 .bias = bias_.data(),
                 .operands = operands});
}

}  // namespace tessera
