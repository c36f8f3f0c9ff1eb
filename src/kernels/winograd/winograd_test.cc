#include "kernels/winograd/winograd.h"

#include <gmock/gmock.h>

#include <array>
#include <optional>

#include "kernels/conv/conv_cases.h"
#include "kernels/winograd/bound.h"

namespace tessera {
namespace {

using ::testing::ContainsRegex;

struct Kernel {
  std::string name;
  const MicroKernel* gemm;
  const WinogradTransforms* transforms;
};

/// Those of one scheme, for each instruction set.
std::vector<Kernel> kernels(const WinogradScheme& scheme) {
  std::vector<Kernel> out;
  const CpuInfo cpu = CpuInfo::detect();
  for (std::size_t i = 0; i < gemm_variants().size(); ++i) {
    const auto& gemm = gemm_variants()[i];
    EXPECT_STREQ(gemm.name, winograd_variants()[i].name);
    if (!cpu.supports(gemm.isa)) continue;
    const WinogradIsa& isa = *winograd_variants()[i].run;
    for (const WinogradTransforms* transforms : {&isa.f4, &isa.f2, &isa.f4_stride2}) {
      if (transforms->scheme == &scheme)
        out.push_back({gemm.name + std::string(" ") + scheme.name, gemm.run, transforms});
    }
  }
  return out;
}

std::vector<float> run(const Kernel& kernel, const ConvCase& c, const ConvData& data, Conv::Machine machine = {}) {
  const float* bias = c.bias ? data.bias.data() : nullptr;
  return run_tasks(Winograd(c.shape, data.weights.data(), bias, c.epilogue, *kernel.gemm, *kernel.transforms, machine),
                   c, data);
}

ConvShape shape(std::int64_t mb, std::int64_t ih, std::int64_t iw, std::int64_t ic, std::int64_t oc, std::int64_t pad,
                std::int64_t stride = 1) {
  return padded({.mb = mb, .ih = ih, .iw = iw, .ic = ic, .oc = oc, .kh = 3, .kw = 3, .sh = stride, .sw = stride}, pad,
                pad, pad, pad);
}

/// The last ones have weights that are transformed in several chunks.
std::vector<ConvCase> cases(const Rng& rng, std::int64_t stride) {
  std::vector<ConvCase> all;
  const auto add = [&](std::int64_t mb, std::int64_t ih, std::int64_t iw, std::int64_t ic, std::int64_t oc,
                       std::int64_t pad) { all.push_back({shape(mb, ih, iw, ic, oc, pad, stride)}); };
  add(1, 13, 13, 64, 64, 1), add(1, 26, 26, 32, 80, 1), add(2, 9, 7, 24, 33, 0), add(1, 3, 3, 1, 1, 0);
  add(1, 40, 30, 17, 48, 1), add(1, 4, 50, 40, 24, 2);
  for (int i = 0; i < 30; ++i) {
    const auto upto = [&](std::size_t n) { return static_cast<std::int64_t>(rng.below(n)); };
    all.push_back(
        by_lot(rng, shape(1 + upto(2), 3 + upto(20), 3 + upto(20), 1 + upto(50), 1 + upto(70), upto(3), stride)));
  }
  add(1, 7, 9, 190, 90, 1), add(1, 50, 50, 140, 40, 1);
  return all;
}
constexpr const WinogradScheme* kSchemes[] = {&kWinogradF4, &kWinogradF2, &kWinogradF4Stride2};

using Matrix = WinogradMatrices::Matrix;

/// m x m^T, with magnitudes of every term.
Matrix both_sides(const Matrix& m, const Matrix& x) {
  Matrix half(m.size(), std::vector<double>(x.size(), 0.0)), out(m.size(), std::vector<double>(m.size(), 0.0));
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t a = 0; a < x.size(); ++a) {
      for (std::size_t b = 0; b < x.size(); ++b) half[i][b] += std::fabs(m[i][a] * x[a][b]);
    }
    for (std::size_t j = 0; j < m.size(); ++j) {
      for (std::size_t b = 0; b < x.size(); ++b) out[i][j] += half[i][b] * std::fabs(m[j][b]);
    }
  }
  return out;
}

Matrix tile_of(const ConvCase& c, const ConvData& data, std::int64_t image, std::int64_t top, std::int64_t left,
               std::int64_t in, std::int64_t channel) {
  const ConvShape& s = c.shape;
  Matrix d(in, std::vector<double>(in, 0.0));
  for (std::int64_t y = 0; y < in; ++y) {
    for (std::int64_t x = 0; x < in; ++x) {
      const std::int64_t iy = top * s.sh - s.pt + y, ix = left * s.sw - s.pl + x;
      if (iy < 0 || iy >= s.ih || ix < 0 || ix >= s.iw) continue;
      d[y][x] = data.src[((image * s.ih + iy) * s.iw + ix) * (s.ic + c.src_gap) + channel];
    }
  }
  return d;
}

/// As winograd_bound (bound.h), of each output by its own inputs.
std::vector<double> accumulator_bounds(const WinogradScheme& scheme, const ConvCase& c, const ConvData& data) {
  const ConvShape& s = c.shape;
  const WinogradMatrices& m = winograd_matrices(scheme);
  std::vector<Matrix> u;
  for (std::int64_t i = 0; i < s.oc * s.ic; ++i) {
    const float* g = data.weights.data() + i * 9;
    u.push_back(both_sides(m.g, {{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}}));
  }
  const double factor = winograd_rounding(s.ic);
  std::vector<double> bounds(data.residual.size());
  const std::int64_t across = (s.ow + scheme.out - 1) / scheme.out, down = (s.oh + scheme.out - 1) / scheme.out;
  for (std::int64_t t = 0; t < s.mb * across * down; ++t) {
    const std::int64_t image = t / across / down, top = t / across % down * scheme.out, left = t % across * scheme.out;
    std::vector<Matrix> v;
    for (std::int64_t i = 0; i < s.ic; ++i)
      v.push_back(both_sides(m.bt, tile_of(c, data, image, top, left, scheme.in, i)));
    for (std::int64_t o = 0; o < s.oc; ++o) {
      Matrix sum(scheme.in, std::vector<double>(scheme.in, 0.0));
      for (std::int64_t i = 0; i < s.ic; ++i) {
        for (std::int64_t e = 0; e < scheme.elements(); ++e) {
          sum[e / scheme.in][e % scheme.in] +=
              v[i][e / scheme.in][e % scheme.in] * u[o * s.ic + i][e / scheme.in][e % scheme.in];
        }
      }
      const Matrix y = both_sides(m.at, sum);
      for (std::int64_t p = 0; p < scheme.out * scheme.out; ++p) {
        const std::int64_t oy = top + p / scheme.out, ox = left + p % scheme.out;
        if (oy >= s.oh || ox >= s.ow) continue;
        const double bias = c.bias ? std::fabs(data.bias[o]) : 0.0;
        bounds[((image * s.oh + oy) * s.ow + ox) * (s.oc + c.dst_gap) + o] =
            factor * (y[p / scheme.out][p % scheme.out] + bias);
      }
    }
  }
  return bounds;
}

TEST(Winograd, EveryVariantIsCloseToTheDirectReference) {
  const Rng rng;
  for (const WinogradScheme* scheme : kSchemes) {
    expect_all_close(
        rng, cases(rng, scheme->stride), kernels(*scheme),
        [](const auto& k, const auto& c, const auto& data) { return run(k, c, data); },
        [&](const ConvCase& c, const ConvData& data) {
          return epilogue_bounds(c, data, magnitudes(c, data), accumulator_bounds(*scheme, c, data));
        });
  }
}

// Inputs as large as they can be everywhere, no padding: the a-priori bound is then that of the outputs themselves.
// With noise it is above all of them.
TEST(Winograd, TheBoundBeforeRunningIsTheLargestAfter) {
  const Rng rng;
  for (const WinogradScheme* scheme : kSchemes) {
    const ConvCase c{shape(1, 17, 17, 6, 5, 0, scheme->stride)};
    ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    const auto bound = [&](double magnitude) {
      const std::vector<double> magnitudes(6, magnitude);
      return winograd_bound(*scheme, 5, data.weights.data(), c.bias ? data.bias.data() : nullptr, magnitudes);
    };
    EXPECT_GT(bound(1), std::ranges::max(accumulator_bounds(*scheme, c, data))) << scheme->name;
    std::ranges::fill(data.src, -2.0f);
    const double largest = std::ranges::max(accumulator_bounds(*scheme, c, data));
    EXPECT_NEAR(bound(2), largest, 1e-12 * largest) << scheme->name;
  }
}

TEST(Winograd, TasksChangeNoBits) {
  const Rng rng;
  for (const WinogradScheme* scheme : kSchemes) {
    for (const ConvCase& c : cases(rng, scheme->stride)) {
      const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
      for (const Kernel& kernel : kernels(*scheme)) {
        const auto one = run(kernel, c, data);
        for (const int threads : {2, 5, 64}) {
          const auto many = run(kernel, c, data, {.threads = threads});
          ASSERT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0)
              << kernel.name << " " << describe(c) << ", " << threads << " threads";
        }
      }
    }
  }
}

// A cache of 64 KiB and one of 1 GiB: weights transformed when run and when prepared, blocks of few and of all tiles.
TEST(Winograd, SmallAndLargeCachesGiveCloseResults) {
  const Rng rng;
  for (const WinogradScheme* scheme : kSchemes) {
    const ConvCase c{shape(1, 21, 30, 70, 40, 1, scheme->stride)};
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    const auto bounds = accumulator_bounds(*scheme, c, data);
    for (const Kernel& kernel : kernels(*scheme)) {
      const auto small = run(kernel, c, data, {.l2_bytes = 1 << 16}),
                 large = run(kernel, c, data, {.l2_bytes = 1 << 30});
      for (std::size_t i = 0; i < small.size(); ++i)
        ASSERT_NEAR(small[i], large[i], 2 * bounds[i]) << kernel.name << " " << i;
    }
  }
}

TEST(Winograd, OutputsThatSeeNanAreNan) {
  const Rng rng;
  const ConvCase c{shape(1, 12, 15, 5, 35, 1)};
  ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, 0.25f, 1); });
  data.src[(7 * 15 + 9) * 5 + 4] = NAN;
  const auto want = run_reference(c, data);
  for (const Kernel& kernel : kernels(kWinogradF4)) {
    const auto got = run(kernel, c, data);
    for (std::int64_t i = 0; i < std::ssize(got); ++i) {
      const std::int64_t y = i / 35 / 15, x = i / 35 % 15;
      const bool in_its_tiles = y >= 4 && y < 12 && x >= 8 && x < 12;
      ASSERT_TRUE(std::isnan(got[i]) || !std::isnan(want[i])) << kernel.name << " at " << i;
      ASSERT_TRUE(in_its_tiles || std::isfinite(got[i])) << kernel.name << " at " << i;
    }
  }
}

// By the shape of AVX-512's tiles, on every machine: others draw the lines elsewhere.
TEST(Winograd, SaysWhatItDoesNotTake) {
  constexpr MicroKernel kernel{.rows = 12, .vectors = 2, .lanes = 16};
  const auto why = [&](const ConvShape& s, const WinogradScheme& scheme = kWinogradF4) {
    const auto no = Winograd::rejects(s, scheme);
    return no ? *no : Winograd::slower(s, scheme, kernel, 1 << 20).value_or("takes it");
  };
  EXPECT_EQ(why(shape(1, 52, 52, 64, 64, 1)), "takes it");
  EXPECT_EQ(why(shape(1, 13, 13, 512, 512, 1)), "takes it");
  EXPECT_EQ(why(shape(1, 208, 208, 64, 128, 1, 2), kWinogradF4Stride2), "takes it");
  EXPECT_EQ(why(padded({.ih = 9, .iw = 9, .ic = 64, .oc = 64}, 0, 0, 0, 0)), "only 3x3 stride 1");
  EXPECT_EQ(why(shape(1, 52, 52, 64, 64, 1, 2)), "only 3x3 stride 1");
  EXPECT_EQ(why(shape(1, 52, 52, 64, 64, 1), kWinogradF4Stride2), "only 3x3 stride 2");
  EXPECT_EQ(why(padded({.ih = 9, .iw = 9, .ic = 64, .oc = 64, .kh = 3, .kw = 3, .groups = 2}, 1, 1, 1, 1)),
            "only one group");
  for (const ConvShape& slow : {shape(1, 52, 52, 3, 64, 1), shape(1, 5, 5, 64, 64, 1), shape(1, 3, 3, 512, 512, 1)}) {
    EXPECT_THAT(why(slow), ContainsRegex("would take [1-9][0-9][0-9] % of the direct sum's time"));
  }
}

}  // namespace
}  // namespace tessera
