#include "kernels/activation/activation_value.h"
#include "kernels/conv/conv.h"

namespace tessera {
namespace {

/// The sum of output (image, y, x, o).
double accumulate(const ConvShape& s, const float* weights, const ConvOperands& io, std::int64_t image, std::int64_t y,
                  std::int64_t x, std::int64_t o) {
  const std::int64_t ic = s.ic / s.groups, group = o / (s.oc / s.groups);
  double sum = 0;
  for (std::int64_t ky = 0; ky < s.kh; ++ky) {
    for (std::int64_t kx = 0; kx < s.kw; ++kx) {
      const std::int64_t iy = y * s.sh - s.pt + ky * s.dh, ix = x * s.sw - s.pl + kx * s.dw;
      if (iy < 0 || iy >= s.ih || ix < 0 || ix >= s.iw) continue;
      const float* pixel = io.src + ((image * s.ih + iy) * s.iw + ix) * io.src_stride + group * ic;
      for (std::int64_t i = 0; i < ic; ++i) {
        sum += static_cast<double>(pixel[i]) * static_cast<double>(weights[((o * ic + i) * s.kh + ky) * s.kw + kx]);
      }
    }
  }
  return sum;
}

}  // namespace

void conv_reference(const ConvShape& s, const float* weights, const float* bias, const GemmEpilogue& epilogue,
                    const ConvOperands& io) {
  for (std::int64_t p = 0; p < s.mb * s.oh * s.ow; ++p) {
    for (std::int64_t o = 0; o < s.oc; ++o) {
      double v = accumulate(s, weights, io, p / s.ow / s.oh, p / s.ow % s.oh, p % s.ow, o);
      v = activation_value(bias ? v + static_cast<double>(bias[o]) : v, epilogue.act);
      if (io.residual) {
        v = activation_value(v + static_cast<double>(io.residual[p * io.residual_stride + o]), epilogue.post_act);
      }
      io.dst[p * io.dst_stride + o] = static_cast<float>(v);
    }
  }
}

}  // namespace tessera
