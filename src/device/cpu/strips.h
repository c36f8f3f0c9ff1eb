#pragma once
// Short strips of a run whose operands step by 0 or 1, so that vector kernels take any run.

#include <algorithm>
#include <array>
#include <cstdint>

namespace tessera::cpu {

/// Calls use(dst, src pointers, src steps, n) for strips of a run of `count` places. at[0] is the output, at[1] ... the
/// operands, `step` their steps in floats. Operands that step otherwise are copied together first, such an output is
/// spread afterwards.
template <std::size_t kOperands, class Pointers, class Steps, class Use>
void strips(const Pointers& at, const Steps& step, std::int64_t count, const Use& use) noexcept {
  constexpr std::int64_t kStrip = 256;  // a few of them stay in the first cache
  alignas(64) float buffers[kOperands + 1][kStrip];
  bool direct = step[0] == 1;
  for (std::size_t i = 1; i <= kOperands; ++i) direct = direct && (step[i] == 0 || step[i] == 1);
  const std::int64_t longest = direct ? count : kStrip;
  for (std::int64_t first = 0; first < count; first += longest) {
    const std::int64_t n = std::min(longest, count - first);
    std::array<const float*, kOperands> src;
    std::array<std::int64_t, kOperands> steps;
    for (std::size_t i = 0; i < kOperands; ++i) {
      const std::int64_t s = step[i + 1];
      src[i] = at[i + 1] + first * s;
      steps[i] = s == 0 ? 0 : 1;
      if (s == 0 || s == 1) continue;
      for (std::int64_t k = 0; k < n; ++k) buffers[i][k] = src[i][k * s];
      src[i] = buffers[i];
    }
    if (step[0] == 1) {
      use(at[0] + first, src, steps, n);
      continue;
    }
    use(buffers[kOperands], src, steps, n);
    for (std::int64_t k = 0; k < n; ++k) at[0][(first + k) * step[0]] = buffers[kOperands][k];
  }
}

}  // namespace tessera::cpu
