#include "kernels/gemm/gemm.h"

#include <algorithm>

#include "kernels/gemm/micro_kernels.h"

namespace tessera {
namespace {

constexpr Variant<const MicroKernel> kVariants[] = {
#if defined(TESSERA_X86)
    {"avx512", Isa::avx512, &kMicroKernelAvx512},
    {"avx2", Isa::avx2, &kMicroKernelAvx2},
#elif defined(TESSERA_NEON)
    {"neon", Isa::neon, &kMicroKernelNeon},
#endif
    {"scalar", Isa::none, &kMicroKernelScalar},
};

}  // namespace

std::span<const Variant<const MicroKernel>> gemm_variants() { return kVariants; }

std::int64_t packed_floats(std::int64_t oc, std::int64_t k, const MicroKernel& kernel) {
  return (oc + kernel.lanes - 1) / kernel.lanes * kernel.lanes * k;
}

void pack_panels(const float* weights, std::int64_t oc, std::int64_t ic, std::int64_t taps, const MicroKernel& kernel,
                 float* dst) {
  for (std::int64_t o0 = 0; o0 < oc; o0 += kernel.panel_width()) {
    const std::int64_t count = std::min(oc - o0, kernel.panel_width());
    const std::int64_t width = packed_floats(count, 1, kernel);
    for (std::int64_t t = 0; t < taps; ++t) {
      for (std::int64_t i = 0; i < ic; ++i, dst += width) {
        for (std::int64_t j = 0; j < count; ++j) dst[j] = weights[((o0 + j) * ic + i) * taps + t];
        std::fill(dst + count, dst + width, 0.0f);
      }
    }
  }
}

}  // namespace tessera
