#pragma once
// For benchmarks only: the f32 multiply-add rate of one core, measured, so that every figure can name its share.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "base/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {
namespace {

constexpr int kChains = 16, kSteps = 20'000;  // chains: more than ports * latency

#if defined(__x86_64__)
[[gnu::target("avx512f")]] inline void fma_chains_avx512() {
  __m512 acc[kChains];
  for (int i = 0; i < kChains; ++i) acc[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(1.0f);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) acc[i] = _mm512_fmadd_ps(acc[i], a, b);
  }
  for (int i = 0; i < kChains; ++i) benchmark::DoNotOptimize(acc[i]);
}
[[gnu::target("avx2,fma")]] inline void fma_chains_avx2() {
  __m256 acc[kChains - 2];
  for (__m256& v : acc) v = _mm256_set1_ps(1.0f);
  const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(1.0f);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (__m256& v : acc) v = _mm256_fmadd_ps(v, a, b);
  }
  for (__m256& v : acc) benchmark::DoNotOptimize(v);
}
#endif

/// As far as a compiler gets without intrinsics on the architecture's least processor: no fused multiply-add there.
inline void multiply_add_plain() {
  float acc[8 * kChains];
  for (float& v : acc) v = 1.0f;
  for (int step = 0; step < kSteps; ++step) {
    for (float& v : acc) v = v * 0.5f + 1.0f;
    benchmark::DoNotOptimize(acc);
  }
}

/// A loop of independent multiply-adds, and how many operations one call does. `run` is null where there is none.
struct PeakLoop {
  void (*run)() = nullptr;
  double flops = 0;
};
inline PeakLoop peak_loop(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return {fma_chains_avx512, 2.0 * 16 * kChains * kSteps};
  if (isa == Isa::avx2) return {fma_chains_avx2, 2.0 * 8 * (kChains - 2) * kSteps};
#endif
  if (isa == Isa::none) return {multiply_add_plain, 2.0 * 8 * kChains * kSteps};
  return {};
}

/// GFLOP/s, the best of a few short runs; 0 where there is no loop for the instruction set.
inline double peak_gflops(Isa isa) {
  const PeakLoop loop = peak_loop(isa);
  double best = 0;
  for (int run = 0; loop.run && run < 8; ++run) {
    const auto start = std::chrono::steady_clock::now();
    loop.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, loop.flops / seconds.count() * 1e-9);
  }
  return best;
}

}  // namespace
}  // namespace tessera
