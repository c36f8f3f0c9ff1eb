#pragma once
// The transforms over a vector type V (kernels/activation/vec_<isa>.h), for both strides: the matrices along one axis,
// then both axes. Everything stands in an unnamed namespace, see gemm_body.h.

#include <utility>

#include "kernels/gemm/tile_finish.h"
#include "kernels/winograd/product_body.h"

namespace tessera {
namespace {

// Points 0, 1, -1, 2, -2 and infinity. The paper's fractions in G stand in B^T instead, row by row: inputs are
// transformed once, weights in some layers by every block of tiles.
struct AxisF4 {
  static constexpr const WinogradScheme& kScheme = kWinogradF4;

  // B^T has the rows (4 0 -5 0 1 0) / 4, -(0 -4 -4 1 1 0) / 6, -(0 4 -4 -1 1 0) / 6, (0 -2 -1 2 1 0) / 24, (0 2 -1 -2 1
  // 0) / 24, (0 4 0 -5 0 1).
  template <class V>
  [[gnu::always_inline]] static void input(const typename V::Reg (&d)[6], typename V::Reg (&out)[6]) {
    const auto third2 = V::set1(2.0f / 3), sixth = V::set1(1.0f / 6), twelfth = V::set1(1.0f / 12);
    const auto even = V::fnma(sixth, d[4], V::mul(third2, d[2])), odd = V::fnma(sixth, d[3], V::mul(third2, d[1]));
    const auto near = V::mul(V::set1(1.0f / 24), V::sub(d[4], d[2])), far = V::sub(d[3], d[1]);
    out[0] = V::fma(V::set1(0.25f), d[4], V::fnma(V::set1(1.25f), d[2], d[0]));
    out[1] = V::add(even, odd);
    out[2] = V::sub(even, odd);
    out[3] = V::fma(twelfth, far, near);
    out[4] = V::fnma(twelfth, far, near);
    out[5] = V::fma(V::set1(4.0f), d[1], V::fnma(V::set1(5.0f), d[3], d[5]));
  }

  // A^T has the rows (1 1 1 1 1 0), (0 1 -1 2 -2 0), (0 1 1 4 4 0), (0 1 -1 8 -8 1).
  template <class V>
  [[gnu::always_inline]] static void output(const typename V::Reg (&m)[6], typename V::Reg (&out)[4]) {
    const auto sum1 = V::add(m[1], m[2]), difference1 = V::sub(m[1], m[2]);
    const auto sum2 = V::add(m[3], m[4]), difference2 = V::sub(m[3], m[4]);
    out[0] = V::add(m[0], V::add(sum1, sum2));
    out[1] = V::fma(V::set1(2.0f), difference2, difference1);
    out[2] = V::fma(V::set1(4.0f), sum2, sum1);
    out[3] = V::add(V::fma(V::set1(8.0f), difference2, difference1), m[5]);
  }

  // G has the rows (1 0 0), (1 1 1), (1 -1 1), (1 2 4), (1 -2 4), (0 0 1).
  template <class V>
  [[gnu::always_inline]] static void weights(const typename V::Reg (&g)[3], typename V::Reg (&out)[6]) {
    const auto outer = V::add(g[0], g[2]), far = V::fma(V::set1(4.0f), g[2], g[0]), two = V::set1(2.0f);
    out[0] = g[0];
    out[1] = V::add(outer, g[1]);
    out[2] = V::sub(outer, g[1]);
    out[3] = V::fma(two, g[1], far);
    out[4] = V::fnma(two, g[1], far);
    out[5] = g[2];
  }
};

// Points 0, 1, -1 and infinity.
struct AxisF2 {
  static constexpr const WinogradScheme& kScheme = kWinogradF2;

  // B^T has the rows (1 0 -1 0), (0 1 1 0), (0 -1 1 0), (0 -1 0 1).
  template <class V>
  [[gnu::always_inline]] static void input(const typename V::Reg (&d)[4], typename V::Reg (&out)[4]) {
    out[0] = V::sub(d[0], d[2]);
    out[1] = V::add(d[1], d[2]);
    out[2] = V::sub(d[2], d[1]);
    out[3] = V::sub(d[3], d[1]);
  }

  // A^T has the rows (1 1 1 0), (0 1 -1 1).
  template <class V>
  [[gnu::always_inline]] static void output(const typename V::Reg (&m)[4], typename V::Reg (&out)[2]) {
    out[0] = V::add(m[0], V::add(m[1], m[2]));
    out[1] = V::add(V::sub(m[1], m[2]), m[3]);
  }

  // G has the rows (1 0 0), (1/2 1/2 1/2), (1/2 -1/2 1/2), (0 0 1).
  template <class V>
  [[gnu::always_inline]] static void weights(const typename V::Reg (&g)[3], typename V::Reg (&out)[4]) {
    const auto half = V::set1(0.5f), outer = V::mul(half, V::add(g[0], g[2]));
    out[0] = g[0];
    out[1] = V::fma(half, g[1], outer);
    out[2] = V::fnma(half, g[1], outer);
    out[3] = g[2];
  }
};

// F(4, 2) of the even inputs: points 0, 1, -1, 2 and infinity, fractions as above; the odd ones pass.
struct AxisF4Stride2 {
  static constexpr const WinogradScheme& kScheme = kWinogradF4Stride2;

  // B^T has the rows (2 -1 -2 1 0) / 2, -(0 -2 -1 1 0) / 2, -(0 2 -3 1 0) / 6, (0 -1 0 1 0) / 6, (0 2 -1 -2 1).
  template <class V>
  [[gnu::always_inline]] static void input(const typename V::Reg (&d)[9], typename V::Reg (&out)[9]) {
    const auto half = V::set1(0.5f), sixth = V::set1(1.0f / 6);
    const auto e0 = d[0], e1 = d[2], e2 = d[4], e3 = d[6], e4 = d[8];
    const auto far = V::sub(e3, e1), near = V::sub(e3, e2);
    out[0] = V::fma(half, far, V::sub(e0, e2));
    out[1] = V::fnma(half, near, e1);
    out[2] = V::fnma(sixth, near, V::mul(V::set1(1.0f / 3), V::sub(e2, e1)));
    out[3] = V::mul(sixth, far);
    out[4] = V::fnma(V::set1(2.0f), far, V::sub(e4, e2));
    for (int i = 0; i < 4; ++i) out[5 + i] = d[1 + 2 * i];
  }

  // A^T has the rows (1 1 1 1 0), (0 1 -1 2 0), (0 1 1 4 0), (0 1 -1 8 1).
  template <class V>
  [[gnu::always_inline]] static void output(const typename V::Reg (&m)[9], typename V::Reg (&out)[4]) {
    const auto sum = V::add(m[1], m[2]), difference = V::sub(m[1], m[2]);
    out[0] = V::add(V::add(m[0], m[3]), V::add(sum, m[5]));
    out[1] = V::add(V::fma(V::set1(2.0f), m[3], difference), m[6]);
    out[2] = V::add(V::fma(V::set1(4.0f), m[3], sum), m[7]);
    out[3] = V::add(V::fma(V::set1(8.0f), m[3], difference), V::add(m[4], m[8]));
  }

  // G of (g0, g2) has the rows (1 0), (1 1), (1 -1), (1 2), (0 1).
  template <class V>
  [[gnu::always_inline]] static void weights(const typename V::Reg (&g)[3], typename V::Reg (&out)[6]) {
    out[0] = g[0];
    out[1] = V::add(g[0], g[2]);
    out[2] = V::sub(g[0], g[2]);
    out[3] = V::fma(V::set1(2.0f), g[2], g[0]);
    out[4] = g[2];
    out[5] = g[1];
  }
};

template <class V, class Axis, bool kWhole>
[[gnu::always_inline]] inline void input_vector(const float* const* pixels, std::int64_t c, int count, float* dst,
                                                std::int64_t element_stride, std::int64_t block_stride) {
  dst += c / kWinogradBlock * block_stride + c % kWinogradBlock;
  constexpr int kIn = Axis::kScheme.in;
  typename V::Reg columns[kIn][kIn];  // [column][row]
  for (int x = 0; x < kIn; ++x) {
    typename V::Reg d[kIn];
#pragma GCC unroll 9
    for (int y = 0; y < kIn; ++y) {
      const float* p = pixels[y * kIn + x] + c;
      d[y] = kWhole ? V::load(p) : V::load_first(p, count);
    }
    Axis::template input<V>(d, columns[x]);
  }
  for (int y = 0; y < kIn; ++y) {
    typename V::Reg line[kIn], out[kIn];
#pragma GCC unroll 9
    for (int x = 0; x < kIn; ++x) line[x] = columns[x][y];
    Axis::template input<V>(line, out);
#pragma GCC unroll 9
    for (int x = 0; x < kIn; ++x) {
      float* to = dst + Axis::kScheme.place(y, x) * element_stride;
      V::store(to, out[x]);
      __builtin_prefetch(to + 2 * kWinogradBlock, 1);  // too many streams for the processor to see them go on
    }
  }
}

template <class V, class Axis>
void winograd_input(const float* const* pixels, std::int64_t channels, float* dst, std::int64_t element_stride,
                    std::int64_t block_stride) {
  std::int64_t c = 0;
  for (; c + V::kLanes <= channels; c += V::kLanes) {
    input_vector<V, Axis, true>(pixels, c, V::kLanes, dst, element_stride, block_stride);
  }
  if (c < channels)
    input_vector<V, Axis, false>(pixels, c, static_cast<int>(channels - c), dst, element_stride, block_stride);
}

/// One row of classes: of all but one column sum the compiler keeps nothing. Constant distances between the taps: with
/// a width to multiply by, addresses would cost as much as the arithmetic.
template <class V, class Axis, int kVectors, int kRow>
void winograd_weights_row(const float* g, std::int64_t count, float* dst, std::int64_t class_stride) {
  constexpr int kClasses = Axis::kScheme.axis_classes, kWidth = kVectors * V::kLanes;
  for (std::int64_t i = 0; i < count; ++i, g += 9 * kWidth, dst += kWidth) {
#pragma GCC unroll 2
    for (int j = 0; j < kWidth; j += V::kLanes) {
      typename V::Reg line[3], out[kClasses];
#pragma GCC unroll 3
      for (int x = 0; x < 3; ++x) {
        const typename V::Reg column[3] = {V::load(g + x * kWidth + j), V::load(g + (3 + x) * kWidth + j),
                                           V::load(g + (6 + x) * kWidth + j)};
        Axis::template weights<V>(column, out);
        line[x] = out[kRow];
      }
      Axis::template weights<V>(line, out);
#pragma GCC unroll 6
      for (int x = 0; x < kClasses; ++x) V::store(dst + x * class_stride + j, out[x]);
    }
  }
}

template <class V, class Axis>
void winograd_weights(std::int64_t row, const float* g, std::int64_t count, std::int64_t width, float* dst,
                      std::int64_t class_stride) {
  static_assert(V::kVectors == 2);
  [&]<int... kRow>(std::integer_sequence<int, kRow...>) {
    if (width == 2 * V::kLanes) {
      ((row == kRow ? winograd_weights_row<V, Axis, 2, kRow>(g, count, dst, class_stride) : void()), ...);
    } else {
      ((row == kRow ? winograd_weights_row<V, Axis, 1, kRow>(g, count, dst, class_stride) : void()), ...);
    }
  }
  (std::make_integer_sequence<int, Axis::kScheme.axis_classes>{});
}

template <class V, class Axis>
[[gnu::always_inline]] inline void output_vector(const WinogradOutput& o, std::int64_t j) {
  constexpr int kIn = Axis::kScheme.in, kOut = Axis::kScheme.out;
  typename V::Reg columns[kIn][kOut];  // [column][row]
  for (int x = 0; x < kIn; ++x) {
    typename V::Reg m[kIn];
#pragma GCC unroll 9
    for (int y = 0; y < kIn; ++y) m[y] = V::load(o.m + Axis::kScheme.place(y, x) * o.element_stride + j);
    Axis::template output<V>(m, columns[x]);
  }
  const auto start = V::load(o.start + j);
  for (int y = 0; y < kOut; ++y) {
    typename V::Reg line[kIn], out[kOut];
#pragma GCC unroll 9
    for (int x = 0; x < kIn; ++x) line[x] = columns[x][y];
    Axis::template output<V>(line, out);
#pragma GCC unroll 4
    for (int x = 0; x < kOut; ++x) V::store(o.scratch + (y * kOut + x) * o.width + j, V::add(out[x], start));
  }
}

template <class V, class Axis>
void winograd_output(const WinogradOutput& o) {
  for (std::int64_t j = 0; j < o.width; j += V::kLanes) output_vector<V, Axis>(o, j);
  for (std::int64_t y = 0; y < o.rows; ++y) {
    finish<V>({.dst = o.dst + y * o.dst_row,
               .dst_stride = o.dst_stride,
               .columns = o.columns,
               .residual = o.residual ? o.residual + y * o.residual_row : nullptr,
               .residual_stride = o.residual_stride,
               .epilogue = o.epilogue,
               .scratch = o.scratch + y * Axis::kScheme.out * o.width},
              o.across, o.width);
  }
}

template <class V, class Axis>
constexpr WinogradTransforms make_winograd_transforms_of() {
  return {&Axis::kScheme, &kWinogradProducts<V>, winograd_input<V, Axis>, winograd_weights<V, Axis>,
          winograd_output<V, Axis>};
}

template <class V>
constexpr WinogradIsa make_winograd_transforms() {
  return {make_winograd_transforms_of<V, AxisF4>(), make_winograd_transforms_of<V, AxisF2>(),
          make_winograd_transforms_of<V, AxisF4Stride2>()};
}

}  // namespace
}  // namespace tessera
