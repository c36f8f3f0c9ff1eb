#pragma once
// The loops all ISAs share; V is a vector of vec_<isa>.h.

#include <limits>

#include "kernels/channels.h"
#include "kernels/pool/variants.h"
#include "kernels/pool/window.h"

namespace tessera {
namespace {

template <class V>
struct Greatest {
  static constexpr float kStart = -std::numeric_limits<float>::infinity();
  static auto step(typename V::Reg v, typename V::Reg so_far) { return V::max_number(v, so_far); }
};
template <class V>
struct Sum {
  static constexpr float kStart = 0.0f;
  static auto step(typename V::Reg v, typename V::Reg so_far) { return V::add(so_far, v); }
};

// Combines a rectangle of pixels, kRegs registers of channels side by side so that their latencies overlap.
template <class V, class Op, int kRegs, class Lanes>
[[gnu::always_inline]] inline void reduce_window(const float* src, std::int64_t row, std::int64_t stride, Window ys,
                                                 Window xs, Lanes lanes, typename V::Reg (&acc)[kRegs]) {
  for (auto& a : acc) a = V::set1(Op::kStart);
  for (std::int64_t y = ys.begin; y < ys.end; ++y) {
    const float* p = src + y * row + xs.begin * stride;
    for (std::int64_t x = xs.begin; x < xs.end; ++x, p += stride) {
      for (int r = 0; r < kRegs; ++r) acc[r] = Op::step(lanes.load(p + r * V::kLanes), acc[r]);
    }
  }
}

// kh * kw loads per output: right for small windows.
template <class V>
void max_row_direct(const PoolShape& shape, Pixels src, Window ys, MutablePixels dst) {
  for (std::int64_t ox = 0; ox < shape.ow; ++ox) {
    const Window xs = window_on_image(ox, shape.kw, shape.sw, shape.pad_left, shape.w);
    float* out = dst.data + ox * dst.stride;
    over_channels<V>(shape.c, [&]<int kRegs>(std::int64_t i, auto lanes) {
      typename V::Reg acc[kRegs];
      reduce_window<V, Greatest<V>, kRegs>(src.data + i, shape.w * src.stride, src.stride, ys, xs, lanes, acc);
      for (int r = 0; r < kRegs; ++r) lanes.store(out + i + r * V::kLanes, acc[r]);
    });
  }
}

// Columns first: columns[x] = the greatest of input column x over the window's rows, for a block of channels that
// keeps the row in L1; then each output is the greatest of kw neighbours. A maximum has one result in any order.
template <class V>
void max_row_separable(const PoolShape& shape, Pixels src, Window ys, MutablePixels dst, float* columns) {
  for (std::int64_t first = 0; first < shape.c; first += kMaxPoolColumnBlock) {
    const std::int64_t c = shape.c - first < kMaxPoolColumnBlock ? shape.c - first : kMaxPoolColumnBlock;
    over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
      typename V::Reg acc[kRegs];
      for (std::int64_t x = 0; x < shape.w; ++x) {
        reduce_window<V, Greatest<V>, kRegs>(src.data + first + i, shape.w * src.stride, src.stride, ys, {x, x + 1},
                                             lanes, acc);
        for (int r = 0; r < kRegs; ++r) lanes.store(columns + x * kMaxPoolColumnBlock + i + r * V::kLanes, acc[r]);
      }
      for (std::int64_t ox = 0; ox < shape.ow; ++ox) {
        const Window xs = window_on_image(ox, shape.kw, shape.sw, shape.pad_left, shape.w);
        reduce_window<V, Greatest<V>, kRegs>(columns + i, 0, kMaxPoolColumnBlock, {0, 1}, xs, lanes, acc);
        for (int r = 0; r < kRegs; ++r) lanes.store(dst.data + ox * dst.stride + first + i + r * V::kLanes, acc[r]);
      }
    });
  }
}

template <class V>
void max_row(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst, float* scratch) {
  const Window ys = window_on_image(oy, shape.kh, shape.sh, shape.pad_top, shape.h);
  if (scratch == nullptr) return max_row_direct<V>(shape, src, ys, dst);
  max_row_separable<V>(shape, src, ys, dst, scratch);
}

template <class V>
void average_row(const PoolShape& shape, Pixels src, std::int64_t oy, MutablePixels dst) {
  const Window ys = window_on_image(oy, shape.kh, shape.sh, shape.pad_top, shape.h);
  for (std::int64_t ox = 0; ox < shape.ow; ++ox) {
    const Window xs = window_on_image(ox, shape.kw, shape.sw, shape.pad_left, shape.w);
    const float count = static_cast<float>((ys.end - ys.begin) * (xs.end - xs.begin));
    float* out = dst.data + ox * dst.stride;
    over_channels<V>(shape.c, [&]<int kRegs>(std::int64_t i, auto lanes) {
      typename V::Reg acc[kRegs];
      reduce_window<V, Sum<V>, kRegs>(src.data + i, shape.w * src.stride, src.stride, ys, xs, lanes, acc);
      for (int r = 0; r < kRegs; ++r) lanes.store(out + i + r * V::kLanes, V::div(acc[r], V::set1(count)));
    });
  }
}

// levels[l] holds the sum of 2^l blocks; adding a block carries like a binary counter.
template <class V, int kRegs>
struct Cascade {
  typename V::Reg levels[40][kRegs];
  std::uint64_t blocks = 0;

  void add(typename V::Reg (&sum)[kRegs]) {
    int level = 0;
    for (; (blocks >> level) & 1u; ++level) add_level(level, sum);
    for (int r = 0; r < kRegs; ++r) levels[level][r] = sum[r];
    ++blocks;
  }
  void total(typename V::Reg (&sum)[kRegs]) const {
    for (auto& s : sum) s = V::set1(0.0f);
    for (int level = 0; (blocks >> level) != 0; ++level) {
      if ((blocks >> level) & 1u) add_level(level, sum);
    }
  }

 private:
  void add_level(int level, typename V::Reg (&sum)[kRegs]) const {
    for (int r = 0; r < kRegs; ++r) sum[r] = V::add(levels[level][r], sum[r]);
  }
};

template <class V>
void global_average(Pixels src, std::int64_t pixels, std::int64_t c, float* dst) {
  constexpr std::int64_t kBlock = 16;
  over_channels<V>(c, [&]<int kRegs>(std::int64_t i, auto lanes) {
    Cascade<V, kRegs> cascade;
    typename V::Reg acc[kRegs];
    for (std::int64_t first = 0; first < pixels; first += kBlock) {
      const Window xs{first, first + kBlock < pixels ? first + kBlock : pixels};
      reduce_window<V, Sum<V>, kRegs>(src.data + i, 0, src.stride, {0, 1}, xs, lanes, acc);
      cascade.add(acc);
    }
    cascade.total(acc);
    const auto count = V::set1(static_cast<float>(pixels));
    for (int r = 0; r < kRegs; ++r) lanes.store(dst + i + r * V::kLanes, V::div(acc[r], count));
  });
}

}  // namespace
}  // namespace tessera
