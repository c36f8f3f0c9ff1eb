#include "kernels/depthwise/depthwise.h"

#include "kernels/conv/conv_cases.h"

namespace tessera {
namespace {

using Kernel = Variant<const DepthwiseKernel>;

std::vector<Kernel> kernels() { return supported(depthwise_variants(), CpuInfo::detect()); }

std::vector<float> run(const Kernel& kernel, const ConvCase& c, const ConvData& data, int threads = 1) {
  const float* bias = c.bias ? data.bias.data() : nullptr;
  return run_tasks(Depthwise(c.shape, data.weights.data(), bias, c.epilogue, *kernel.run, threads), c, data);
}

ConvCase random_case(const Rng& rng) {
  const auto upto = [&](std::size_t n) { return static_cast<std::int64_t>(rng.below(n)); };
  ConvShape s;
  s.ic = s.oc = s.groups = 1 + upto(rng.below(2) ? 8 : 70);
  s.mb = 1 + upto(2);
  s.kh = 1 + upto(5), s.kw = rng.below(2) ? 3 : 1 + upto(5);
  s.sh = 1 + upto(3), s.sw = 1 + upto(3);
  s.dh = rng.below(3) ? 1 : 2, s.dw = rng.below(3) ? 1 : 2;
  s.ih = (s.kh - 1) * s.dh + 1 + upto(12), s.iw = (s.kw - 1) * s.dw + 1 + upto(20);
  return by_lot(rng, padded(s, upto(4), upto(4), upto(4), upto(4)));
}

/// 3 x 3, which has kernels of its own: every number of channels around the vectors' ends, any border, odd sizes;
/// without gaps half the time, as only then rows can be taken as runs of floats.
ConvCase three_by_three(const Rng& rng, std::int64_t channels, std::int64_t stride) {
  const auto upto = [&](std::size_t n) { return static_cast<std::int64_t>(rng.below(n)); };
  ConvShape s{.mb = 1 + upto(2), .ih = 3 + upto(7), .iw = 3 + upto(24), .ic = channels, .oc = channels};
  s.kh = s.kw = 3, s.sh = s.sw = stride, s.groups = channels;
  const std::size_t pads = rng.below(4) ? 2 : 3;  // 2 pixels of padding leave one with a single tap
  ConvCase c = by_lot(rng, padded(s, upto(pads), upto(pads), upto(pads), upto(pads)));
  if (rng.below(2)) c.src_gap = c.dst_gap = 0;
  return c;
}

std::vector<ConvCase> cases(const Rng& rng) {
  std::vector<ConvCase> all = {
      {padded({.ih = 25, .iw = 5, .ic = 64, .oc = 64, .kh = 3, .kw = 3, .groups = 64}, 1, 1, 1, 1)},
      {padded({.ih = 48, .iw = 48, .ic = 8, .oc = 8, .kh = 3, .kw = 3, .groups = 8}, 1, 1, 1, 1)},
      {padded({.ih = 48, .iw = 48, .ic = 16, .oc = 16, .kh = 3, .kw = 3, .sh = 2, .sw = 2, .groups = 16}, 0, 0, 1, 1)},
      {padded({.ih = 1, .iw = 1, .ic = 17, .oc = 17, .kh = 3, .kw = 3, .groups = 17}, 2, 2, 2, 2)},
      {padded({.ih = 7, .iw = 9, .ic = 33, .oc = 33, .kh = 7, .kw = 9, .groups = 33}, 0, 0, 0, 0)},
      {padded({.ih = 5, .iw = 60, .ic = 96, .oc = 96, .kh = 3, .kw = 3, .groups = 96}, 1, 1, 1,
              1)},  // groups of channels
      {padded({.ih = 3, .iw = 3, .ic = 24, .oc = 24, .kh = 5, .kw = 5, .groups = 24}, 2, 2, 2, 2)},
      {padded({.ih = 9, .iw = 8, .ic = 6, .oc = 6, .kh = 1, .kw = 1, .sh = 3, .sw = 3, .groups = 6}, 0, 0, 0, 0)},
  };
  for (std::int64_t channels = 1; channels <= 41; ++channels) {
    for (const std::int64_t stride : {1, 2}) all.push_back(three_by_three(rng, channels < 41 ? channels : 136, stride));
  }
  for (int i = 0; i < 150; ++i) all.push_back(random_case(rng));
  return all;
}

TEST(Depthwise, EveryVariantIsCloseToReference) {
  const Rng rng;
  expect_all_close(
      rng, cases(rng), kernels(), [](const auto& k, const auto& c, const auto& data) { return run(k, c, data); },
      error_bounds);
}

TEST(Depthwise, SmallIntegersAreExactAndTheSplitChangesNoBits) {
  const Rng rng;
  for (ConvCase c : cases(rng)) {
    c.epilogue.act.kind = c.epilogue.post_act.kind = Activation::relu;
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.integers(n, -9, 9); });
    const auto want = run_reference(c, data);
    for (const Kernel& kernel : kernels()) {
      for (const int threads : {1, 2, 5, 64}) {
        SCOPED_TRACE(text(kernel.name, " threads ", threads));
        expect_close(c, run(kernel, c, data, threads), want, std::vector<double>(want.size(), 0.0));
        if (HasFailure()) return;
      }
    }
  }
}

/// The channels of every pixel, without the gaps.
std::vector<float> channels_of(const std::vector<float>& values, std::int64_t channels, std::int64_t gap) {
  std::vector<float> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (static_cast<std::int64_t>(i) % (channels + gap) < channels) out.push_back(values[i]);
  }
  return out;
}

/// The same numbers with `gap` others behind each pixel's channels.
std::vector<float> spread(const std::vector<float>& values, std::int64_t channels, std::int64_t gap) {
  std::vector<float> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.push_back(values[i]);
    if (static_cast<std::int64_t>(i + 1) % channels == 0) out.insert(out.end(), static_cast<std::size_t>(gap), NAN);
  }
  return out;
}

TEST(Depthwise, SplitAndGapsChangeNoBits) {
  const Rng rng;
  for (ConvCase dense : cases(rng)) {
    dense.src_gap = dense.dst_gap = 0;
    const ConvData data = make_data(dense, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    ConvCase gaps = dense;
    gaps.src_gap = 3, gaps.dst_gap = 2;
    const std::int64_t c = dense.shape.oc;
    const ConvData apart{spread(data.src, c, 3), data.weights, data.bias, spread(data.residual, c, 2)};
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(text(kernel.name, " ", describe(dense)));
      const auto want = run(kernel, dense, data);
      for (const int threads : {3, 64}) ASSERT_EQ(run(kernel, dense, data, threads), want) << threads << " threads";
      ASSERT_EQ(channels_of(run(kernel, gaps, apart), c, 2), want) << "with gaps";
    }
  }
}

TEST(Depthwise, BandsOfRowsGiveTheSameBits) {
  const Rng rng;
  for (const ConvCase& c : cases(rng)) {
    const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
    for (const Kernel& kernel : kernels()) {
      const Depthwise prepared(c.shape, data.weights.data(), c.bias ? data.bias.data() : nullptr, c.epilogue,
                               *kernel.run, 1);
      ASSERT_EQ(run_bands(rng, prepared, c, data), run_tasks(prepared, c, data)) << kernel.name << describe(c);
    }
  }
}

TEST(Depthwise, NanAndInfinityStayInTheirChannel) {
  const Rng rng;
  for (const Activation act :
       {Activation::linear, Activation::relu, Activation::relu6, Activation::leaky, Activation::silu}) {
    ConvCase c{padded({.ih = 8, .iw = 9, .ic = 20, .oc = 20, .kh = 3, .kw = 3, .groups = 20}, 1, 1, 1, 1)};
    c.epilogue.act.kind = act;
    ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, 0.25f, 1); });
    data.src[(2 * 9 + 2) * 20 + 3] = NAN;
    data.src[(6 * 9 + 8) * 20 + 19] = INFINITY;
    const auto want = run_reference(c, data);
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(text(kernel.name, " act ", static_cast<int>(act)));
      expect_same_specials(run(kernel, c, data), want, 9, act == Activation::relu6 ? 0 : 6);
    }
  }
}

TEST(Depthwise, TakesOnlyOneChannelPerGroup) {
  EXPECT_TRUE(Depthwise::accepts({.ic = 8, .oc = 8, .groups = 8}));
  EXPECT_TRUE(Depthwise::accepts({.ic = 1, .oc = 1, .groups = 1}));
  EXPECT_FALSE(Depthwise::accepts({.ic = 8, .oc = 16, .groups = 8}));
  EXPECT_FALSE(Depthwise::accepts({.ic = 8, .oc = 8, .groups = 4}));
}

}  // namespace
}  // namespace tessera
