#include "kernels/conv/conv.h"

#include "kernels/conv/conv_cases.h"

namespace tessera {
namespace {

using Kernel = Variant<const MicroKernel>;

std::vector<Kernel> kernels() { return supported(gemm_variants(), CpuInfo::detect()); }

Conv prepare(const Kernel& kernel, const ConvCase& c, const ConvData& data, Conv::Machine machine = {}) {
  return Conv(c.shape, data.weights.data(), c.bias ? data.bias.data() : nullptr, c.epilogue, *kernel.run, machine);
}

std::vector<float> run(const Kernel& kernel, const ConvCase& c, const ConvData& data, Conv::Machine machine = {}) {
  return run_tasks(prepare(kernel, c, data, machine), c, data);
}

/// Shapes of real networks in small, and the odd ones: few channels, wide kernels, sides that touch the padding
/// everywhere, kernels as large as the image, outputs of one pixel.
std::vector<ConvCase> listed_cases() {
  return {
      {padded({.ih = 9, .iw = 11, .ic = 3, .oc = 32, .kh = 3, .kw = 3}, 1, 1, 1, 1)},
      {padded({.ih = 32, .iw = 40, .ic = 3, .oc = 16, .kh = 6, .kw = 6, .sh = 2, .sw = 2}, 2, 2, 2, 2)},
      {padded({.ih = 28, .iw = 28, .ic = 1, .oc = 32, .kh = 5, .kw = 5}, 2, 2, 2, 2)},
      {padded({.ih = 49, .iw = 10, .ic = 1, .oc = 64, .kh = 10, .kw = 4, .sh = 2, .sw = 2}, 5, 1, 5, 1)},
      {padded({.ih = 13, .iw = 13, .ic = 64, .oc = 255}, 0, 0, 0, 0)},
      {padded({.ih = 13, .iw = 13, .ic = 48, .oc = 64, .kh = 3, .kw = 3}, 1, 1, 1, 1)},
      {padded({.ih = 14, .iw = 14, .ic = 32, .oc = 64, .kh = 3, .kw = 3, .sh = 2, .sw = 2}, 1, 1, 0, 0)},
      {padded({.ih = 14, .iw = 13, .ic = 32, .oc = 24, .kh = 1, .kw = 1, .sh = 2, .sw = 2}, 0, 0, 0, 0)},
      {padded({.ih = 7, .iw = 7, .ic = 64, .oc = 32, .kh = 7, .kw = 7}, 0, 0, 0, 0)},
      {padded({.mb = 3, .ih = 7, .iw = 5, .ic = 17, .oc = 12, .kh = 3, .kw = 3}, 1, 1, 1, 1)},
      {padded({.ih = 5, .iw = 5, .ic = 5, .oc = 1, .kh = 5, .kw = 5}, 2, 2, 2, 2)},
      {padded({.ih = 20, .iw = 20, .ic = 8, .oc = 18, .kh = 3, .kw = 3, .dh = 2, .dw = 2}, 2, 2, 2, 2)},
      {padded({.ih = 9, .iw = 9, .ic = 24, .oc = 48, .kh = 3, .kw = 3, .groups = 3}, 1, 1, 1, 1)},
      {padded({.ih = 1, .iw = 1, .ic = 1, .oc = 1}, 0, 0, 0, 0)},
      {padded({.ih = 1, .iw = 1, .ic = 100, .oc = 2}, 0, 0, 0, 0)},
      {padded({.ih = 3, .iw = 3, .ic = 2, .oc = 33, .kh = 3, .kw = 3}, 2, 2, 2, 2)},
      {padded({.ih = 1, .iw = 30, .ic = 4, .oc = 7, .kh = 1, .kw = 3}, 0, 0, 0, 2)},
      {padded({.ih = 2, .iw = 3, .ic = 70, .oc = 5, .kh = 3, .kw = 3}, 2, 2, 3, 3)},
      {padded({.ih = 9, .iw = 13, .ic = 71, .oc = 16}, 0, 0, 0, 0)},
      {.shape = padded({.ih = 9, .iw = 13, .ic = 71, .oc = 12}, 0, 0, 0, 0), .epilogue = {}, .residual = true},
      {.shape = padded({.ih = 9, .iw = 13, .ic = 64, .oc = 20}, 0, 0, 0, 0), .epilogue = {}, .dst_gap = 4},
      {.shape = padded({.ih = 9, .iw = 13, .ic = 71, .oc = 24}, 0, 0, 0, 0), .epilogue = {}, .residual = true},
      {padded({.ih = 20, .iw = 44, .ic = 3, .oc = 14, .kh = 6, .kw = 6, .sh = 2, .sw = 2}, 2, 2, 2, 2)},
  };
}

ConvCase random_case(const Rng& rng) {
  ConvShape s;
  s.groups = pick<std::int64_t>(rng, {1, 1, 1, 2, 3});
  s.ic = s.groups * pick<std::int64_t>(rng, {1, 2, 3, 5, 8, 16, 17, 40});
  s.oc = s.groups * pick<std::int64_t>(rng, {1, 2, 5, 12, 16, 18, 31, 32, 33, 85});
  s.mb = pick<std::int64_t>(rng, {1, 1, 2});
  s.kh = pick<std::int64_t>(rng, {1, 1, 2, 3, 3, 5}), s.kw = pick<std::int64_t>(rng, {1, 1, 2, 3, 3, 5});
  s.sh = pick<std::int64_t>(rng, {1, 1, 2, 3}), s.sw = pick<std::int64_t>(rng, {1, 1, 2, 3});
  s.dh = pick<std::int64_t>(rng, {1, 1, 2}), s.dw = pick<std::int64_t>(rng, {1, 1, 2});
  s.ih = (s.kh - 1) * s.dh + 1 + static_cast<std::int64_t>(rng.below(12));
  s.iw = (s.kw - 1) * s.dw + 1 + static_cast<std::int64_t>(rng.below(12));
  const auto pad = [&] { return static_cast<std::int64_t>(rng.below(3)); };
  return by_lot(rng, padded(s, pad(), pad(), pad(), pad()));
}

/// The layers that chains are made of: wide images of few channels.
std::vector<ConvShape> wide_shapes() {
  std::vector<ConvShape> all;
  for (const std::int64_t oc : {4, 8, 12, 16, 24, 40, 72}) {
    all.push_back(padded({.ih = 9, .iw = 40, .ic = 8, .oc = oc}, 0, 0, 0, 0));
    all.push_back(padded({.mb = 2, .ih = 8, .iw = 13, .ic = 33, .oc = oc}, 0, 0, 0, 0));
    all.push_back(
        padded({.mb = 2, .ih = 17, .iw = 101, .ic = 3, .oc = oc, .kh = 3, .kw = 3, .sh = 2, .sw = 2}, 1, 1, 1, 1));
    all.push_back(padded({.ih = 14, .iw = 99, .ic = 3, .oc = oc, .kh = 5, .kw = 3, .dh = 2}, 3, 2, 0, 1));
    all.push_back(padded({.ih = 30, .iw = 31, .ic = 6, .oc = oc, .sh = 2, .sw = 3}, 1, 0, 0, 2));
  }
  return all;
}

/// What layers of few channels end in, with and without channels of others between the pixels; and something by lot.
std::vector<ConvCase> wide_cases(const Rng& rng) {
  std::vector<ConvCase> all;
  for (const ConvShape& shape : wide_shapes()) {
    all.push_back({.shape = shape, .epilogue = {.act = {.kind = Activation::leaky, .alpha = 0.1f}}});
    all.push_back({.shape = shape, .epilogue = {}, .residual = true});
    all.push_back({.shape = shape, .epilogue = {}, .bias = false, .src_gap = 3, .dst_gap = 5});
    all.push_back(by_lot(rng, shape));
  }
  return all;
}

std::vector<ConvCase> cases(const Rng& rng) {
  std::vector<ConvCase> all = listed_cases();
  const auto wide = wide_cases(rng);
  all.insert(all.end(), wide.begin(), wide.end());
  for (int i = 0; i < 150; ++i) all.push_back(random_case(rng));
  return all;
}

TEST(Conv, EveryVariantIsCloseToReference) {
  const Rng rng;
  expect_all_close(
      rng, cases(rng), kernels(), [](const auto& k, const auto& c, const auto& data) { return run(k, c, data); },
      error_bounds);
}

TEST(Conv, SmallIntegersAreExact) {
  const Rng rng;
  for (ConvCase c : cases(rng)) {
    c.epilogue.act.kind = c.epilogue.post_act.kind = Activation::relu;
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.integers(n, -4, 4); });
    const auto want = run_reference(c, data);
    const std::vector<double> exact(want.size(), 0.0);
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(kernel.name);
      expect_close(c, run(kernel, c, data), want, exact);
      if (HasFailure()) return;
    }
  }
}

TEST(Conv, TheSplitChangesNoBits) {
  const Rng rng;
  for (const ConvCase& c : cases(rng)) {
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(kernel.name);
      const auto one = run(kernel, c, data);
      for (const int threads : {2, 5, 64}) {
        for (const std::int64_t l2 : {std::int64_t{1} << 20, std::int64_t{4096}}) {
          const auto many = run(kernel, c, data, {.l2_bytes = l2, .threads = threads});
          ASSERT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0)
              << describe(c) << ", " << threads << " threads, l2 " << l2;
        }
      }
    }
  }
}

TEST(Conv, BandsOfRowsGiveTheSameBits) {
  const Rng rng;
  const auto all = cases(rng);
  for (const Kernel& kernel : kernels()) {
    std::size_t by_rows = 0;
    for (const ConvCase& c : all) {
      const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
      const Conv conv = prepare(kernel, c, data);
      if (!conv.by_rows()) continue;
      ++by_rows;
      const auto want = run_tasks(conv, c, data), got = run_bands(rng, conv, c, data);
      ASSERT_EQ(std::memcmp(want.data(), got.data(), want.size() * sizeof(float)), 0) << kernel.name << describe(c);
    }
    EXPECT_GE(by_rows, wide_cases(rng).size()) << kernel.name;
  }
}

TEST(Conv, MoreThreadsGiveMoreTasksWhereThereIsWork) {
  const ConvCase c{padded({.ih = 52, .iw = 52, .ic = 64, .oc = 128, .kh = 3, .kw = 3}, 1, 1, 1, 1)};
  const ConvCase tiny{padded({.ih = 4, .iw = 4, .ic = 8, .oc = 8}, 0, 0, 0, 0)};
  const ConvCase deep{padded({.ih = 3, .iw = 4, .ic = 512, .oc = 512, .kh = 3, .kw = 3}, 1, 1, 1, 1)};
  const auto zeros = [](std::size_t n) { return std::vector<float>(n); };
  for (const Kernel& kernel : kernels()) {
    EXPECT_GE(prepare(kernel, c, make_data(c, zeros), {.threads = 4}).tasks(), 8u) << kernel.name;
    EXPECT_GE(prepare(kernel, deep, make_data(deep, zeros), {.threads = 4}).tasks(), 8u) << kernel.name;
    EXPECT_EQ(prepare(kernel, tiny, make_data(tiny, zeros), {.threads = 4}).tasks(), 1u) << kernel.name;
  }
}

TEST(Conv, ResidualMayBeTheOutputItself) {
  const Rng rng;
  ConvCase c{padded({.ih = 9, .iw = 9, .ic = 16, .oc = 40, .kh = 3, .kw = 3}, 1, 1, 1, 1)};
  c.residual = true;
  c.epilogue.act = {.kind = Activation::leaky, .alpha = 0.5f};  // exact
  const ConvData data = make_data(c, [&](std::size_t n) { return rng.integers(n, -4, 4); });
  const auto want = run_reference(c, data);
  for (const Kernel& kernel : kernels()) {
    auto dst = data.residual;
    const Conv conv = prepare(kernel, c, data, {.threads = 2});
    PackedFloats scratch(static_cast<std::int64_t>(conv.scratch_bytes() / sizeof(float)));
    ConvOperands io = operands(c, data, dst.data());
    io.residual = dst.data();
    io.scratch = reinterpret_cast<std::byte*>(scratch.data());
    for (std::size_t task = 0; task < conv.tasks(); ++task) conv.run(task, io);
    EXPECT_EQ(dst, want) << kernel.name;
  }
}

TEST(Conv, NanAndInfinityReachExactlyTheOutputsThatSeeThem) {
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
      expect_same_specials(run(kernel, c, data), want, 4 * 35, 9 * 35);
    }
  }
}

}  // namespace
}  // namespace tessera
