#include "kernels/gemm/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/test_support.h"

namespace tessera {
namespace {

/// Where [o][i][t] stands among the packed weights, from the layout in gemm.h.
std::int64_t place(std::int64_t o, std::int64_t i, std::int64_t t, std::int64_t oc, std::int64_t ic, std::int64_t taps,
                   const MicroKernel& kernel) {
  const std::int64_t first = o / kernel.panel_width() * kernel.panel_width();
  const std::int64_t width = packed_floats(std::min(kernel.panel_width(), oc - first), 1, kernel);
  return first * ic * taps + (t * ic + i) * width + o - first;
}

TEST(PackPanels, EveryWeightIsAtItsPlaceAndTheRestIsZero) {
  for (const auto& variant : gemm_variants()) {  // packing itself is plain C++
    for (const std::int64_t oc : {1, 3, 4, 16, 31, 33, 85}) {
      for (const std::int64_t ic : {1, 3, 8, 31, 32, 33, 70}) {
        for (const std::int64_t taps : {1, 2, 9}) {
          const auto count = static_cast<std::size_t>(oc * ic * taps);
          std::vector<float> weights(count), want(static_cast<std::size_t>(packed_floats(oc, ic * taps, *variant.run)));
          for (std::size_t n = 0; n < count; ++n) {
            weights[n] = static_cast<float>(n + 1);
            const auto index = static_cast<std::int64_t>(n);
            const std::int64_t o = index / (ic * taps), i = index / taps % ic, t = index % taps;
            want[static_cast<std::size_t>(place(o, i, t, oc, ic, taps, *variant.run))] = weights[n];
          }
          std::vector<float> packed(want.size(), -1);
          pack_panels(weights.data(), oc, ic, taps, *variant.run, packed.data());
          EXPECT_EQ(packed, want) << variant.name << ": " << oc << " x " << ic << " x " << taps;
        }
      }
    }
  }
}

/// Some tiles below one another, and what one of its rows adds up.
struct Strip {
  std::int64_t rows, tiles, segments, length, a_stride, width;
  std::vector<float> a, b, start, residual;
  std::vector<const float*> runs;

  Strip(const Rng& rng, std::int64_t rows_, std::int64_t tiles_, std::int64_t width_)
      : rows(rows_), tiles(tiles_), segments(3), length(5), a_stride(7), width(width_) {
    const auto floats = [&](std::int64_t n) { return rng.floats(static_cast<std::size_t>(n), -1, 1); };
    a = floats(segments * 11 + rows * tiles * a_stride + length);
    b = floats(segments * length * width), start = floats(width), residual = floats(rows * tiles * width);
    for (std::int64_t s = 0; s < segments; ++s) runs.push_back(a.data() + 11 * s);
  }
  GemmTile call(const GemmEpilogue& epilogue, std::int64_t columns, bool add, std::vector<float>& dst,
                std::vector<float>& scratch) const {
    return {.a = runs.data(),
            .a_stride = a_stride,
            .segments = segments,
            .length = length,
            .b = b.data(),
            .start = start.data(),
            .dst = dst.data(),
            .dst_stride = width,
            .columns = columns,
            .residual = add ? residual.data() : nullptr,
            .residual_stride = width,
            .epilogue = &epilogue,
            .scratch = scratch.data(),
            .tiles = tiles};
  }
};

/// The strip tile by tile.
void run_tiles(MicroKernel::Tile* tile, GemmTile call, std::int64_t rows) {
  for (std::int64_t n = call.tiles; n > 0; --n) {
    tile(call);
    call.offset += rows * call.a_stride, call.dst += rows * call.dst_stride;
    if (call.residual) call.residual += rows * call.residual_stride;
  }
}

// Where a tile of that shape keeps one sum, it is the same arithmetic.
TEST(Strips, HaveTheBitsOfTheirTiles) {
  const Rng rng;
  const GemmEpilogue linear, leaky{.act = {.kind = Activation::leaky, .alpha = 0.1f}, .post_act = {}},
      mish{.act = {.kind = Activation::mish}, .post_act = {.kind = Activation::relu}};
  for (const auto& variant : supported(gemm_variants(), CpuInfo::detect())) {
    const MicroKernel& kernel = *variant.run;
    int compared = 0;
    for (int rows = 1; rows <= kernel.rows; ++rows) {
      for (int vectors = 1; vectors <= kernel.vectors; ++vectors) {
        if (sums_of(rows, vectors) != 1) continue;
        const Strip strip(rng, rows, 3, vectors * kernel.lanes);
        for (const GemmEpilogue& epilogue : {linear, leaky, mish}) {
          for (const bool add : {false, true}) {
            const std::int64_t columns = strip.width - static_cast<std::int64_t>(rng.below(2));
            std::vector<float> want(strip.residual.size(), kPoison), got = want, scratch(want.size());
            const auto at = [rows, vectors](auto& table) { return table[rows - 1][vectors - 1]; };
            run_tiles(at(kernel.strided), strip.call(epilogue, columns, add, want, scratch), rows);
            at(kernel.strips)(strip.call(epilogue, columns, add, got, scratch));
            EXPECT_EQ(got, want) << variant.name << ": " << rows << " rows, " << vectors << " vectors, " << columns;
            ++compared;
          }
        }
      }
    }
    EXPECT_GE(compared, 6) << variant.name;
  }
}

/// What a strip of one product per step gives for these operands, exact for small integers.
float plain_sum(const Strip& strip, const std::vector<float>& w, std::int64_t row, std::int64_t o) {
  float sum = 10.0f * static_cast<float>(o);  // the bias
  for (std::int64_t s = 0; s < strip.segments; ++s) {
    for (std::int64_t k = 0; k < strip.length; ++k) {
      sum += strip.runs[static_cast<std::size_t>(s)][row * strip.a_stride + k] *
             w[static_cast<std::size_t>((s * strip.length + k) * strip.width + o)];
    }
  }
  return sum;
}

/// Weights and bias as gemm.h says; w gets the weights plainly, [segments * length][width].
void fold_operands(const Rng& rng, Strip& strip, const FoldForm& form, std::int64_t lanes, std::vector<float>& w) {
  w = rng.integers(static_cast<std::size_t>(strip.segments * strip.length * strip.width), -4, 4);
  const std::int64_t steps = (strip.length + form.products - 1) / form.products, step = form.vectors * lanes;
  strip.b.assign(static_cast<std::size_t>(strip.segments * steps * step), 0.0f);
  strip.start.assign(static_cast<std::size_t>(step), 0.0f);
  for (std::int64_t o = 0; o < strip.width; ++o) {
    strip.start[static_cast<std::size_t>(form.place(o, 0, lanes))] = 10.0f * static_cast<float>(o);
    for (std::int64_t n = 0; n < strip.segments * strip.length; ++n) {
      const std::int64_t k = n % strip.length, at = n / strip.length * steps + k / form.products;
      strip.b[static_cast<std::size_t>(at * step + form.place(o, k % form.products, lanes))] =
          w[static_cast<std::size_t>(n * strip.width + o)];
    }
  }
}

/// Two tiles of a form against plain sums. Runs of 5 begin at floats 0, 1 and 2 of 8: number 7 belongs to nobody.
void expect_every_product(const Rng& rng, const MicroKernel& kernel, const FoldForm& form, int rows,
                          std::int64_t width) {
  const GemmEpilogue linear;
  Strip strip(rng, rows, 2, width);
  strip.a_stride = 8;
  strip.a = rng.integers(static_cast<std::size_t>(8 * 2 * rows), -4, 4);
  for (std::int64_t s = 0; s < 3; ++s) strip.runs[static_cast<std::size_t>(s)] = strip.a.data() + s;
  for (std::size_t r = 0; r < strip.a.size() / 8; ++r) strip.a[8 * r + 7] = INFINITY;
  std::vector<float> w, scratch(static_cast<std::size_t>(rows * kernel.panel_width()));
  fold_operands(rng, strip, form, kernel.lanes, w);
  std::vector<float> got(strip.residual.size(), kPoison), want;
  for (std::int64_t r = 0; r < 2 * rows; ++r) {
    for (std::int64_t o = 0; o < width; ++o) want.push_back(plain_sum(strip, w, r, o));
  }
  kernel.folded[&form - kFoldForms][rows - 1](strip.call(linear, width, false, got, scratch));
  EXPECT_EQ(got, want) << form.columns << " columns, " << rows << " rows, " << width;
}

TEST(Strips, FoldedOnesAddEveryProductOnce) {
  const Rng rng;
  for (const auto& variant : supported(gemm_variants(), CpuInfo::detect())) {
    SCOPED_TRACE(variant.name);
    const MicroKernel& kernel = *variant.run;
    int compared = 0;
    for (const FoldForm& form : kFoldForms) {
      if (!kernel.folded[&form - kFoldForms][0]) continue;
      for (int rows = 1; rows <= kernel.rows; ++rows) {
        for (std::int64_t width = form.columns; width > 0; --width, ++compared) {
          expect_every_product(rng, kernel, form, rows, width);
        }
      }
    }
    EXPECT_EQ(compared, kernel.folded[0][0] ? (16 + 8 + 4) * kernel.rows : 0);
  }
}

}  // namespace
}  // namespace tessera
