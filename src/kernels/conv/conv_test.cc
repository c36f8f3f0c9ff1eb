#include "kernels/conv/conv.h"

#include "kernels/conv/conv_cases.h"
#include "kernels/conv/conv_shapes.h"
#include "kernels/conv/strips.h"

namespace tessera {
namespace {

using Kernel = Variant<const MicroKernel>;

std::vector<Kernel> kernels() { return supported(gemm_variants(), CpuInfo::detect()); }

/// What holds for each of the two that sum directly.
template <class Prepared>
class DirectConv : public ::testing::Test {
 protected:
  static Prepared prepare(const Kernel& kernel, const ConvCase& c, const ConvData& data, Conv::Machine machine = {}) {
    const float* bias = c.bias ? data.bias.data() : nullptr;
    if constexpr (std::is_same_v<Prepared, Conv>) {
      return Conv(c.shape, data.weights.data(), bias, c.epilogue, *kernel.run, machine);
    } else {
      return StripConv(c.shape, data.weights.data(), bias, c.epilogue, *kernel.run, machine.threads);
    }
  }

  static std::vector<float> run(const Kernel& kernel, const ConvCase& c, const ConvData& data,
                                Conv::Machine machine = {}) {
    return run_tasks(prepare(kernel, c, data, machine), c, data);
  }

  /// Those that it takes.
  static std::vector<ConvCase> taken(std::vector<ConvCase> cases) {
    if constexpr (std::is_same_v<Prepared, StripConv>) {
      std::erase_if(cases, [](const ConvCase& c) { return StripConv::rejects(c.shape).has_value(); });
    }
    EXPECT_FALSE(cases.empty());
    return cases;
  }
};

using Both = ::testing::Types<Conv, StripConv>;
struct Names {
  template <class Prepared>
  static std::string GetName(int) {
    return std::is_same_v<Prepared, Conv> ? "Conv" : "StripConv";
  }
};
TYPED_TEST_SUITE(DirectConv, Both, Names);

TYPED_TEST(DirectConv, EveryVariantIsCloseToReference) {
  const Rng rng;
  expect_all_close(
      rng, this->taken(cases(rng)), kernels(),
      [this](const auto& k, const auto& c, const auto& data) { return this->run(k, c, data); }, error_bounds);
}

TYPED_TEST(DirectConv, SmallIntegersAreExact) {
  const Rng rng;
  for (ConvCase c : this->taken(cases(rng))) {
    c.epilogue.act.kind = c.epilogue.post_act.kind = Activation::relu;
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.integers(n, -4, 4); });
    const auto want = run_reference(c, data);
    const std::vector<double> exact(want.size(), 0.0);
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(kernel.name);
      expect_close(c, this->run(kernel, c, data), want, exact);
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(DirectConv, TheSplitChangesNoBits) {
  const Rng rng;
  for (const ConvCase& c : this->taken(cases(rng))) {
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(kernel.name);
      const auto one = this->run(kernel, c, data);
      for (const int threads : {2, 5, 64}) {
        for (const std::int64_t l2 : {std::int64_t{1} << 20, std::int64_t{4096}}) {
          const auto many = this->run(kernel, c, data, {.l2_bytes = l2, .threads = threads});
          ASSERT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0)
              << describe(c) << ", " << threads << " threads, l2 " << l2;
        }
      }
    }
  }
}

TYPED_TEST(DirectConv, BandsOfRowsGiveTheSameBits) {
  const Rng rng;
  const auto all = this->taken(cases(rng));
  for (const Kernel& kernel : kernels()) {
    std::size_t by_rows = 0;
    for (const ConvCase& c : all) {
      const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
      const auto conv = this->prepare(kernel, c, data);
      if (!conv.by_rows()) continue;
      ++by_rows;
      const auto want = run_tasks(conv, c, data), got = run_bands(rng, conv, c, data);
      ASSERT_EQ(std::memcmp(want.data(), got.data(), want.size() * sizeof(float)), 0) << kernel.name << describe(c);
    }
    // Strips always go by rows, implicit GEMMs where their sums are alike.
    const bool always = std::is_same_v<TypeParam, StripConv>;
    EXPECT_GE(by_rows, always ? all.size() : all.size() / 8) << kernel.name;
  }
}

TYPED_TEST(DirectConv, ResidualMayBeTheOutputItself) {
  const Rng rng;
  ConvCase c{padded({.ih = 9, .iw = 9, .ic = 8, .oc = 40, .kh = 3, .kw = 3}, 1, 1, 1, 1)};
  c.residual = true;
  c.epilogue.act = {.kind = Activation::leaky, .alpha = 0.5f};  // exact
  const ConvData data = make_data(c, [&](std::size_t n) { return rng.integers(n, -4, 4); });
  const auto want = run_reference(c, data);
  for (const Kernel& kernel : kernels()) {
    auto dst = data.residual;
    const auto conv = this->prepare(kernel, c, data, {.threads = 2});
    PackedFloats scratch(static_cast<std::int64_t>(conv.scratch_bytes() / sizeof(float)));
    ConvOperands io = operands(c, data, dst.data());
    io.residual = dst.data();
    io.scratch = reinterpret_cast<std::byte*>(scratch.data());
    for (std::size_t task = 0; task < conv.tasks(); ++task) conv.run(task, io);
    EXPECT_EQ(dst, want) << kernel.name;
  }
}

TYPED_TEST(DirectConv, NanAndInfinityReachExactlyTheOutputsThatSeeThem) {
  const Rng rng;
  for (const Activation act :
       {Activation::linear, Activation::relu, Activation::leaky, Activation::mish, Activation::silu}) {
    ConvCase c{padded({.ih = 12, .iw = 15, .ic = 5, .oc = 35, .kh = 3, .kw = 3}, 1, 1, 1, 1)};
    c.epilogue.act.kind = act;
    ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, 0.25f, 1); });
    data.src[(0 * 15 + 0) * 5 + 2] = std::numeric_limits<float>::quiet_NaN();
    data.src[(7 * 15 + 9) * 5 + 4] = std::numeric_limits<float>::infinity();
    const auto want = run_reference(c, data);
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(text(kernel.name, " act ", static_cast<int>(act)));
      expect_same_specials(this->run(kernel, c, data), want, 4 * 35, 9 * 35);
    }
  }
}

TYPED_TEST(DirectConv, MoreThreadsGiveMoreTasksWhereThereIsWork) {
  const ConvCase wide{padded({.ih = 160, .iw = 160, .ic = 8, .oc = 24}, 0, 0, 0, 0)};
  const ConvCase tiny{padded({.ih = 4, .iw = 4, .ic = 8, .oc = 8}, 0, 0, 0, 0)};
  const auto zeros = [](std::size_t n) { return std::vector<float>(n); };
  for (const Kernel& kernel : kernels()) {
    EXPECT_GE(this->prepare(kernel, wide, make_data(wide, zeros), {.threads = 4}).tasks(), 8u) << kernel.name;
    EXPECT_EQ(this->prepare(kernel, tiny, make_data(tiny, zeros), {.threads = 4}).tasks(), 1u) << kernel.name;
  }
}

TEST(Conv, FewTilesOfManyChannelsAreSplitByChannels) {
  const ConvCase deep{padded({.ih = 3, .iw = 4, .ic = 512, .oc = 512, .kh = 3, .kw = 3}, 1, 1, 1, 1)};
  const ConvData data = make_data(deep, [](std::size_t n) { return std::vector<float>(n); });
  for (const Kernel& kernel : kernels()) {
    const Conv conv(deep.shape, data.weights.data(), nullptr, deep.epilogue, *kernel.run, {.threads = 4});
    EXPECT_GE(conv.tasks(), 8u) << kernel.name;
  }
}

TEST(StripConv, SaysWhyNot) {
  const MicroKernel& kernel = *kernels().back().run;
  const auto slower = [&](const ConvShape& s) { return StripConv::slower(s, kernel).value_or("taken"); };
  const auto rejects = [](const ConvShape& s) { return StripConv::rejects(s).value_or("taken"); };
  const ConvShape first = padded({.ih = 96, .iw = 96, .ic = 3, .oc = 8, .kh = 3, .kw = 3}, 1, 1, 1, 1);
  EXPECT_EQ(rejects(first), "taken");
  EXPECT_EQ(slower(first), "taken");
  EXPECT_EQ(rejects(padded({.ih = 9, .iw = 9, .ic = 4, .oc = 4, .groups = 2}, 0, 0, 0, 0)), "only groups = 1");
  EXPECT_EQ(rejects(padded({.ih = 9, .iw = 9, .ic = 512, .oc = 4}, 0, 0, 0, 0)), "only few channels");
  EXPECT_EQ(rejects(padded({.ih = 9, .iw = 9, .ic = 64, .oc = 4, .kh = 3, .kw = 3}, 1, 1, 1, 1)),
            "only 1x1 and few input channels");
  EXPECT_EQ(slower(padded({.ih = 4, .iw = 4, .ic = 8, .oc = 8}, 0, 0, 0, 0)), "few pixels");
  EXPECT_EQ(slower(padded({.ih = 80, .iw = 80, .ic = 128, .oc = 128}, 0, 0, 0, 0)), "long sums of many channels");
  EXPECT_EQ(slower(padded({.ih = 80, .iw = 80, .ic = 16, .oc = 4096}, 0, 0, 0, 0)), "many weights");
}

}  // namespace
}  // namespace tessera
