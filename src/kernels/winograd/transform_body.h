#pragma once
// The transforms over a vector type V (kernels/activation/vec_<isa>.h). Everything stands in an unnamed namespace, see
// gemm_body.h.

#include "kernels/gemm/tile_finish.h"
#include "kernels/winograd/winograd.h"

namespace tessera {
namespace {

// B^T has the rows (4 0 -5 0 1 0), (0 -4 -4 1 1 0), (0 4 -4 -1 1 0), (0 -2 -1 2 1 0), (0 2 -1 -2 1 0), (0 4 0 -5 0 1).
template <class V>
[[gnu::always_inline]] inline void input_column(const typename V::Reg (&d)[6], typename V::Reg (&out)[6]) {
  const auto four = V::set1(4.0f), five = V::set1(5.0f), two = V::set1(2.0f);
  const auto even = V::fnma(four, d[2], d[4]), odd = V::fnma(four, d[1], d[3]);
  const auto near = V::sub(d[4], d[2]), far = V::sub(d[3], d[1]);
  out[0] = V::fma(four, d[0], V::fnma(five, d[2], d[4]));
  out[1] = V::add(even, odd);
  out[2] = V::sub(even, odd);
  out[3] = V::fma(two, far, near);
  out[4] = V::fnma(two, far, near);
  out[5] = V::fma(four, d[1], V::fnma(five, d[3], d[5]));
}

// A^T has the rows (1 1 1 1 1 0), (0 1 -1 2 -2 0), (0 1 1 4 4 0), (0 1 -1 8 -8 1).
template <class V>
[[gnu::always_inline]] inline void output_column(const typename V::Reg (&m)[6], typename V::Reg (&out)[4]) {
  const auto sum1 = V::add(m[1], m[2]), difference1 = V::sub(m[1], m[2]);
  const auto sum2 = V::add(m[3], m[4]), difference2 = V::sub(m[3], m[4]);
  out[0] = V::add(m[0], V::add(sum1, sum2));
  out[1] = V::fma(V::set1(2.0f), difference2, difference1);
  out[2] = V::fma(V::set1(4.0f), sum2, sum1);
  out[3] = V::add(V::fma(V::set1(8.0f), difference2, difference1), m[5]);
}

template <class V, bool kWhole>
[[gnu::always_inline]] inline void input_vector(const float* const* pixels, std::int64_t c, int count, float* dst,
                                                std::int64_t element_stride) {
  typename V::Reg columns[6][6];  // [column][row]
  for (int x = 0; x < 6; ++x) {
    typename V::Reg d[6];
#pragma GCC unroll 6
    for (int y = 0; y < 6; ++y) {
      const float* p = pixels[y * 6 + x] + c;
      d[y] = kWhole ? V::load(p) : V::load_first(p, count);
    }
    input_column<V>(d, columns[x]);
  }
  for (int y = 0; y < 6; ++y) {
    typename V::Reg line[6], out[6];
#pragma GCC unroll 6
    for (int x = 0; x < 6; ++x) line[x] = columns[x][y];
    input_column<V>(line, out);
#pragma GCC unroll 6
    for (int x = 0; x < 6; ++x) V::store(dst + (y * 6 + x) * element_stride + c, out[x]);
  }
}

template <class V>
void winograd_input(const float* const* pixels, std::int64_t channels, float* dst, std::int64_t element_stride) {
  std::int64_t c = 0;
  for (; c + V::kLanes <= channels; c += V::kLanes) input_vector<V, true>(pixels, c, V::kLanes, dst, element_stride);
  if (c < channels) input_vector<V, false>(pixels, c, static_cast<int>(channels - c), dst, element_stride);
}

template <class V>
[[gnu::always_inline]] inline void output_vector(const WinogradOutput& o, std::int64_t j) {
  typename V::Reg columns[6][4];  // [column][row]
  for (int x = 0; x < 6; ++x) {
    typename V::Reg m[6];
#pragma GCC unroll 6
    for (int y = 0; y < 6; ++y) m[y] = V::load(o.m + (y * 6 + x) * o.element_stride + j);
    output_column<V>(m, columns[x]);
  }
  const auto start = V::load(o.start + j);
  for (int y = 0; y < 4; ++y) {
    typename V::Reg line[6], out[4];
#pragma GCC unroll 6
    for (int x = 0; x < 6; ++x) line[x] = columns[x][y];
    output_column<V>(line, out);
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) V::store(o.scratch + (y * 4 + x) * o.width + j, V::add(out[x], start));
  }
}

template <class V>
void winograd_output(const WinogradOutput& o) {
  for (std::int64_t j = 0; j < o.width; j += V::kLanes) output_vector<V>(o, j);
  for (std::int64_t y = 0; y < o.rows; ++y) {
    finish<V>({.dst = o.dst + y * o.dst_row,
               .dst_stride = o.dst_stride,
               .columns = o.columns,
               .residual = o.residual ? o.residual + y * o.residual_row : nullptr,
               .residual_stride = o.residual_stride,
               .epilogue = o.epilogue,
               .scratch = o.scratch + y * 4 * o.width},
              o.across, o.width);
  }
}

template <class V>
constexpr WinogradTransforms make_winograd_transforms() {
  return {V::kLanes, winograd_input<V>, winograd_output<V>};
}

}  // namespace
}  // namespace tessera
