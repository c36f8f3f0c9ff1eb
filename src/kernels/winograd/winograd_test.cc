#include "kernels/winograd/winograd.h"

#include <gmock/gmock.h>

#include <array>
#include <optional>

#include "kernels/conv/conv_cases.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

struct Kernel {
  const char* name;
  const MicroKernel* gemm;
  const WinogradTransforms* transforms;
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> out;
  const CpuInfo cpu = CpuInfo::detect();
  for (std::size_t i = 0; i < gemm_variants().size(); ++i) {
    const auto& gemm = gemm_variants()[i];
    EXPECT_STREQ(gemm.name, winograd_variants()[i].name);
    if (cpu.supports(gemm.isa)) out.push_back({gemm.name, gemm.run, winograd_variants()[i].run});
  }
  return out;
}

std::vector<float> run(const Kernel& kernel, const ConvCase& c, const ConvData& data, Conv::Machine machine = {}) {
  const float* bias = c.bias ? data.bias.data() : nullptr;
  return run_tasks(Winograd(c.shape, data.weights.data(), bias, c.epilogue, *kernel.gemm, *kernel.transforms, machine),
                   c, data);
}

ConvShape shape(std::int64_t mb, std::int64_t ih, std::int64_t iw, std::int64_t ic, std::int64_t oc, std::int64_t pad) {
  return padded({.mb = mb, .ih = ih, .iw = iw, .ic = ic, .oc = oc, .kh = 3, .kw = 3}, pad, pad, pad, pad);
}

std::vector<ConvCase> cases(const Rng& rng) {
  std::vector<ConvCase> all = {{shape(1, 13, 13, 64, 64, 1)}, {shape(1, 26, 26, 32, 80, 1)},
                               {shape(2, 9, 7, 24, 33, 0)},   {shape(1, 3, 3, 1, 1, 0)},
                               {shape(1, 40, 30, 17, 48, 1)}, {shape(1, 4, 50, 40, 24, 2)}};
  for (int i = 0; i < 30; ++i) {
    const auto upto = [&](std::size_t n) { return static_cast<std::int64_t>(rng.below(n)); };
    all.push_back(by_lot(rng, shape(1 + upto(2), 3 + upto(20), 3 + upto(20), 1 + upto(50), 1 + upto(70), upto(3))));
  }
  return all;
}

// The matrices as printed in the paper.
using Matrix = std::vector<std::vector<double>>;
const Matrix kBt = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0}, {0, 4, -4, -1, 1, 0},
                    {0, -2, -1, 2, 1, 0}, {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
const Matrix kG = {{1.0 / 4, 0, 0},
                   {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                   {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                   {1.0 / 24, 1.0 / 12, 1.0 / 6},
                   {1.0 / 24, -1.0 / 12, 1.0 / 6},
                   {0, 0, 1}};
const Matrix kAt = {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}};

/// m x m^T, with magnitudes of every term if `magnitude`.
Matrix both_sides(const Matrix& m, const Matrix& x, bool magnitude) {
  const auto value = [&](double v) { return magnitude ? std::fabs(v) : v; };
  Matrix out(m.size(), std::vector<double>(m.size(), 0.0));
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t j = 0; j < m.size(); ++j) {
      for (std::size_t a = 0; a < x.size(); ++a) {
        for (std::size_t b = 0; b < x.size(); ++b) out[i][j] += value(m[i][a] * x[a][b] * m[j][b]);
      }
    }
  }
  return out;
}

/// |A^T| (sum over channels of (|B^T| |d| |B|) * |U|) |A| + |bias|: what the roundings of Winograd are relative to.
/// Each number takes at most 4 roundings in each of the two input passes and 5 in each output pass, 1 in U, ic in the
/// sum and 1 for the bias: an error of at most (ic + 22) u of this.
std::vector<double> accumulator_bounds(const ConvCase& c, const ConvData& data) {
  const ConvShape& s = c.shape;
  std::vector<Matrix> u;
  for (std::int64_t i = 0; i < s.oc * s.ic; ++i) {
    const float* g = data.weights.data() + i * 9;
    u.push_back(both_sides(kG, {{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}}, false));
  }
  const double factor = std::ldexp(static_cast<double>(s.ic) + 22, -24);
  std::vector<double> bounds(data.residual.size());
  for (std::int64_t t = 0; t < s.mb * ((s.oh + 3) / 4) * ((s.ow + 3) / 4); ++t) {
    const std::int64_t across = (s.ow + 3) / 4, down = (s.oh + 3) / 4;
    const std::int64_t image = t / across / down, top = t / across % down * 4, left = t % across * 4;
    std::vector<Matrix> v;
    for (std::int64_t i = 0; i < s.ic; ++i) {
      Matrix d(6, std::vector<double>(6, 0.0));
      for (std::int64_t e = 0; e < 36; ++e) {
        const std::int64_t y = top - s.pt + e / 6, x = left - s.pl + e % 6;
        if (y < 0 || y >= s.ih || x < 0 || x >= s.iw) continue;
        d[e / 6][e % 6] = data.src[((image * s.ih + y) * s.iw + x) * (s.ic + c.src_gap) + i];
      }
      v.push_back(both_sides(kBt, d, true));
    }
    for (std::int64_t o = 0; o < s.oc; ++o) {
      Matrix m(6, std::vector<double>(6, 0.0));
      for (std::int64_t i = 0; i < s.ic; ++i) {
        for (int e = 0; e < 36; ++e) m[e / 6][e % 6] += v[i][e / 6][e % 6] * std::fabs(u[o * s.ic + i][e / 6][e % 6]);
      }
      const Matrix y = both_sides(kAt, m, true);
      for (std::int64_t p = 0; p < 16; ++p) {
        if (top + p / 4 >= s.oh || left + p % 4 >= s.ow) continue;
        const std::int64_t pixel = (image * s.oh + top + p / 4) * s.ow + left + p % 4;
        const double bias = c.bias ? std::fabs(data.bias[o]) : 0.0;
        bounds[pixel * (s.oc + c.dst_gap) + o] = factor * (y[p / 4][p % 4] + bias);
      }
    }
  }
  return bounds;
}

TEST(Winograd, EveryVariantIsCloseToTheDirectReference) {
  const Rng rng;
  expect_all_close(
      rng, cases(rng), kernels(), [](const auto& k, const auto& c, const auto& data) { return run(k, c, data); },
      [](const ConvCase& c, const ConvData& data) {
        return epilogue_bounds(c, data, magnitudes(c, data), accumulator_bounds(c, data));
      });
}

TEST(Winograd, TasksChangeNoBits) {
  const Rng rng;
  for (const ConvCase& c : cases(rng)) {
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    for (const Kernel& kernel : kernels()) {
      const auto one = run(kernel, c, data);
      for (const int threads : {2, 5, 64}) {
        const auto many = run(kernel, c, data, {.threads = threads});
        ASSERT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0)
            << kernel.name << " " << describe(c) << ", " << threads << " threads";
      }
    }
  }
}

TEST(Winograd, OutputsThatSeeNanAreNan) {
  const Rng rng;
  const ConvCase c{shape(1, 12, 15, 5, 35, 1)};
  ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, 0.25f, 1); });
  data.src[(7 * 15 + 9) * 5 + 4] = NAN;
  const auto want = run_reference(c, data);
  for (const Kernel& kernel : kernels()) {
    const auto got = run(kernel, c, data);
    for (std::int64_t i = 0; i < std::ssize(got); ++i) {
      const std::int64_t y = i / 35 / 15, x = i / 35 % 15;
      const bool in_its_tiles = y >= 4 && y < 12 && x >= 8 && x < 12;
      ASSERT_TRUE(std::isnan(got[i]) || !std::isnan(want[i])) << kernel.name << " at " << i;
      ASSERT_TRUE(in_its_tiles || std::isfinite(got[i])) << kernel.name << " at " << i;
    }
  }
}

TEST(Winograd, SaysWhatItDoesNotTake) {
  const auto why = [](const ConvShape& s) { return Winograd::rejects(s).value_or("takes it"); };
  EXPECT_EQ(why(shape(1, 52, 52, 64, 64, 1)), "takes it");
  EXPECT_EQ(why(padded({.ih = 9, .iw = 9, .ic = 64, .oc = 64}, 0, 0, 0, 0)), "only 3x3 stride 1");
  EXPECT_EQ(why(padded({.ih = 9, .iw = 9, .ic = 64, .oc = 64, .kh = 3, .kw = 3, .sh = 2, .sw = 2}, 1, 1, 1, 1)),
            "only 3x3 stride 1");
  EXPECT_EQ(why(padded({.ih = 9, .iw = 9, .ic = 64, .oc = 64, .kh = 3, .kw = 3, .groups = 2}, 1, 1, 1, 1)),
            "only one group");
  EXPECT_THAT(why(shape(1, 52, 52, 16, 64, 1)), HasSubstr("fewer than 24 channels"));
  EXPECT_EQ(why(shape(1, 5, 5, 64, 64, 1)), "small image");
  EXPECT_EQ(why(shape(1, 13, 13, 512, 512, 1)), "small image for its weights");
}

}  // namespace
}  // namespace tessera
