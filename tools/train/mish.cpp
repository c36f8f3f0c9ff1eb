// Mish and its derivative on bf16 values, for training only: PyTorch's own takes more than half of a CPU step.
//   mish(x) = x * tanh(softplus(x)) = x * n / (n + 2),  n = e (e + 2),  e = exp(x)
//   mish'(x) = t + 4 x e (e + 1) / (n + 2)^2,           t = n / (n + 2)
// (t' = 2 n' / (n + 2)^2 with n' = 2 e (e + 1).) Plain loops; the compiler makes them 16 lanes wide.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

inline float widen(std::uint16_t v) {
  const std::uint32_t bits = std::uint32_t{v} << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline std::uint16_t narrow(float f) {  // round half to even
  std::uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// exp on [-30, 20], relative error about 2e-6: 2^(k + f), |f| <= 1/2, a polynomial for 2^f.
inline float exp_bounded(float x) {
  x = x < -30.0f ? -30.0f : x;
  x = x > 20.0f ? 20.0f : x;
  const float y = x * 1.44269504f;
  const float k = static_cast<float>(static_cast<std::int32_t>(y + (y < 0 ? -0.5f : 0.5f)));
  const float f = (y - k) * 0.693147181f;
  const float p = 1 + f * (1 + f * (0.5f + f * (0.166666667f + f * (0.0416666667f + f * 0.00833333333f))));
  const std::uint32_t bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(k) + 127) << 23;
  float scale;
  std::memcpy(&scale, &bits, 4);
  return p * scale;
}

}  // namespace

extern "C" void mish_bf16(const std::uint16_t* src, std::uint16_t* dst, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = widen(src[i]), e = exp_bounded(x), n = e * (e + 2);
    dst[i] = narrow(x * n / (n + 2));
  }
}

extern "C" void mish_backward_bf16(const std::uint16_t* src, const std::uint16_t* grad, std::uint16_t* dst,
                                   std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = widen(src[i]), e = exp_bounded(x), n = e * (e + 2), r = 1 / (n + 2);
    dst[i] = narrow(widen(grad[i]) * r * (n + 4 * x * e * (e + 1) * r));
  }
}
