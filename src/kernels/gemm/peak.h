#pragma once
// For measuring only: loops of nothing but f32 multiply-adds in registers, so that every figure can name its share of
// the machine's arithmetic.

#include <algorithm>
#include <chrono>

#include "base/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace tessera {
namespace {

constexpr int kChains = 16, kSteps = 20'000;  // chains: more than ports * latency

// The sums must look used, and all of their lanes.
inline void keep(const float* lanes) { asm volatile("" : : "r"(lanes) : "memory"); }

#if defined(__x86_64__)
[[gnu::target("avx512f")]] inline void fma_chains_avx512() {
  __m512 acc[kChains];
  for (int i = 0; i < kChains; ++i) acc[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(1.0f);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) acc[i] = _mm512_fmadd_ps(acc[i], a, b);
  }
  __m512 sum = acc[0];
  for (int i = 1; i < kChains; ++i) sum = _mm512_add_ps(sum, acc[i]);
  float lanes[16];
  _mm512_storeu_ps(lanes, sum);
  keep(lanes);
}
[[gnu::target("avx2,fma")]] inline void fma_chains_avx2() {
  __m256 acc[kChains - 2];
  for (__m256& v : acc) v = _mm256_set1_ps(1.0f);
  const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(1.0f);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (__m256& v : acc) v = _mm256_fmadd_ps(v, a, b);
  }
  __m256 sum = acc[0];
  for (int i = 1; i < kChains - 2; ++i) sum = _mm256_add_ps(sum, acc[i]);
  float lanes[8];
  _mm256_storeu_ps(lanes, sum);
  keep(lanes);
}
#elif defined(__aarch64__)
inline void fma_chains_neon() {
  float32x4_t acc[kChains];
  for (int i = 0; i < kChains; ++i) acc[i] = vdupq_n_f32(static_cast<float>(i));
  const float32x4_t a = vdupq_n_f32(0.5f), b = vdupq_n_f32(1.0f);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) acc[i] = vfmaq_f32(b, acc[i], a);
  }
  float32x4_t sum = acc[0];
  for (int i = 1; i < kChains; ++i) sum = vaddq_f32(sum, acc[i]);
  float lanes[4];
  vst1q_f32(lanes, sum);
  keep(lanes);
}
#endif

// The compiler's vectors of four, as the plain kernels have them (vec_portable.h): a product and a sum, not fused.
inline void fma_chains_portable() {
  using Reg = float __attribute__((vector_size(16)));
  constexpr int kRegisters = 12;  // SSE2 has 16, the products need one
  Reg acc[kRegisters];
  for (Reg& v : acc) v = Reg{1, 1, 1, 1};
  const Reg a = {0.5f, 0.5f, 0.5f, 0.5f}, b = {1, 1, 1, 1};
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (Reg& v : acc) v = v * a + b;
  }
  Reg sum = acc[0];
  for (int i = 1; i < kRegisters; ++i) sum += acc[i];
  float lanes[4];
  __builtin_memcpy(lanes, &sum, sizeof lanes);
  keep(lanes);
}

struct PeakLoop {
  void (*run)();
  double flops;  ///< of one call: two per multiply-add
};
/// The loop for a level the processor supports; about 0.1 ms a call.
inline PeakLoop peak_loop(Isa isa) {
  constexpr double kPerLane = 2.0 * kSteps;
#if defined(__x86_64__)
  if (isa >= Isa::avx512 && isa <= Isa::avx512_bf16) return {fma_chains_avx512, kPerLane * 16 * kChains};
  if (isa == Isa::avx2) return {fma_chains_avx2, kPerLane * 8 * (kChains - 2)};
#elif defined(__aarch64__)
  if (isa == Isa::neon) return {fma_chains_neon, kPerLane * 4 * kChains};
#endif
  return {fma_chains_portable, kPerLane * 4 * 12};
}

/// GFLOP/s of one core, the best of a few short runs.
[[maybe_unused]] inline double peak_gflops(Isa isa) {
  const PeakLoop loop = peak_loop(isa);
  double best = 0;
  for (int run = 0; run < 8; ++run) {
    const auto start = std::chrono::steady_clock::now();
    loop.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, loop.flops / seconds.count() * 1e-9);
  }
  return best;
}

}  // namespace
}  // namespace tessera
