#pragma once
// The products of one class of elements, over a vector type V (kernels/activation/vec_<isa>.h) and kRows x kVectors,
// the largest tile that fits the registers. A micro-kernel of its own beside gemm_body.h, because the sums are short:
// where registers abound a block of channels is unrolled whole, so that no branch is guessed wrong and one product
// begins while another ends. Everything stands in an unnamed namespace, see gemm_body.h.

#include <utility>

#include "kernels/winograd/winograd.h"

namespace tessera {
namespace {

/// acc[r][j] += v[r][k] * u[k][j] for kSteps channels k. Rows are a block apart: one register reaches all of them.
template <class V, int kSteps, int kRows, int kVectors>
[[gnu::always_inline]] inline void winograd_steps(typename V::Reg (&acc)[kRows][kVectors], const float* v,
                                                  const float* u) {
#pragma GCC unroll 16
  for (int k = 0; k < kSteps; ++k) {
    typename V::Reg uv[kVectors];
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) uv[j] = V::load(u + (k * kVectors + j) * V::kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const typename V::Reg av = V::set1(v[r * kWinogradBlock + k]);
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) acc[r][j] = V::fma(av, uv[j], acc[r][j]);
    }
    asm volatile("" ::: "memory");  // GCC would load for the next steps until it runs out of registers
  }
}

/// A block's rows are too far from the last one's for the processor to see them come.
template <int kRows>
[[gnu::always_inline]] inline void ask_for_rows(const float* v) {
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) __builtin_prefetch(v + r * kWinogradBlock);
}

template <class V, int kRows, int kVectors>
void winograd_product(const WinogradProduct& p) {
  constexpr int kWidth = kVectors * V::kLanes;
  typename V::Reg acc[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) acc[r][j] = p.adds ? V::load(p.m + r * kWidth + j * V::kLanes) : V::set1(0.0f);
  }
  const float *v = p.v, *u = p.u;
  std::int64_t left = p.channels;
  for (; left >= kWinogradBlock; left -= kWinogradBlock, v += p.v_step) {
    if (left > kWinogradBlock) ask_for_rows<kRows>(v + p.v_step);
    for (int k = 0; k < kWinogradBlock; k += V::kSteps, u += V::kSteps * kWidth) {
      winograd_steps<V, V::kSteps>(acc, v + k, u);
    }
  }
  for (; left > 0; --left, ++v, u += kWidth) winograd_steps<V, 1>(acc, v, u);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) V::store(p.m + r * kWidth + j * V::kLanes, acc[r][j]);
  }
}

/// The table of all tile shapes up to the largest, built by the compiler.
template <class V>
constexpr WinogradProducts make_winograd_products() {
  WinogradProducts products{V::kRows, {}};
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    const auto fill_row = [&]<int kR, int... kVector>(std::integral_constant<int, kR>,
                                                      std::integer_sequence<int, kVector...>) {
      ((products.tiles[kR][kVector] = winograd_product<V, kR + 1, kVector + 1>), ...);
    };
    (fill_row(std::integral_constant<int, kRow>{}, std::make_integer_sequence<int, V::kVectors>{}), ...);
  }
  (std::make_integer_sequence<int, V::kRows>{});
  return products;
}

template <class V>
constexpr WinogradProducts kWinogradProducts = make_winograd_products<V>();

}  // namespace
}  // namespace tessera
