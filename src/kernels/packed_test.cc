// Where packed weights come from, and what they are: the numbers that caches on disk hold are pinned here.

#include "kernels/packed.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/hash64.h"
#include "base/text.h"
#include "kernels/conv/conv_cases.h"
#include "kernels/winograd/winograd.h"

namespace tessera {
namespace {

/// Has nothing, and remembers what was made.
struct Recorder final : PackedSource {
  PackedRecipe recipe;
  PackedFloats made;
  PackedFloats get(const PackedRecipe& wanted, const Pack& pack) override {
    recipe = wanted;
    return made = packed(nullptr, wanted, pack);
  }
};

/// Has `floats`, whatever is asked for.
struct Finder final : PackedSource {
  PackedFloats floats;
  PackedFloats get(const PackedRecipe& wanted, const Pack&) override {
    EXPECT_EQ(wanted.count, floats.size());
    return floats;
  }
};

/// Transforms of these are rounded, so that the order of the arithmetic shows.
std::vector<float> weights_of(const ConvShape& s) {
  std::vector<float> out(static_cast<std::size_t>(s.oc * sum_length(s)));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(i * 7919 % 2003) / 1000.0f - 1.0f;
  return out;
}

/// Of few pixels, so that no strips take it (conv/strips.h).
ConvShape shape(std::int64_t ic, std::int64_t oc, std::int64_t side, std::int64_t groups = 1, std::int64_t stride = 1) {
  const ConvShape open{
      .ih = 4, .iw = 4, .ic = ic, .oc = oc, .kh = side, .kw = side, .sh = stride, .sw = stride, .groups = groups};
  return padded(open, side / 2, side / 2, side / 2, side / 2);
}

std::size_t place(std::string_view variant) {
  constexpr std::string_view kNames[] = {"avx512", "avx2", "neon", "scalar"};
  return static_cast<std::size_t>(std::ranges::find(kNames, variant) - std::begin(kNames));
}

std::uint64_t hash_of(const PackedFloats& floats) {
  return hash64(std::as_bytes(std::span(floats.data(), static_cast<std::size_t>(floats.size()))));
}

using Hashes = std::map<std::string, std::array<std::uint64_t, 4>>;

/// Under kPackedVersion 1: avx512, avx2, neon, scalar.
const Hashes& pinned() {
  static const Hashes hashes{
      {"panels 1x1 130 to 70", {0x8f80dac4fbf2bc7a, 0x7ce49f506a97dcfb, 0xed4b3620198e1bad, 0xed4b3620198e1bad}},
      {"panels 3x3 40 to 100", {0x097bd3ffdd6c9beb, 0x36d15dee70cdbede, 0xf36c78ab18749f24, 0xf36c78ab18749f24}},
      {"panels 3x3 60 to 90", {0x9959eab9c6027563, 0x87ad5a9d0300a057, 0xf373df91057f903f, 0xf373df91057f903f}},
      {"panels 5x5 24 to 33", {0x0819b3c0b1881050, 0xfde8e784bbe7eed7, 0x7cc14249572db015, 0x7cc14249572db015}},
      {"F(4x4, 3x3)", {0xd616a90f08997ec0, 0x3da86a1cae5121bd, 0xd3d7318ccb5c1980, 0xd3d7318ccb5c1980}},
      {"kernels", {0xbadb2de102f2d4e1, 0x258d17f22f41928b, 0x412a41b7438a021d, 0x412a41b7438a021d}},
      {"F(2x2, 3x3)", {0x29e11d1de66f1fa9, 0x4014a66a23d3291f, 0x09900348dcdddd51, 0x09900348dcdddd51}},
      {"F(4x4, 3x3) stride 2", {0xbffecb5af53959cf, 0x870c8ef50522c28c, 0x22cb1e6da2132d43, 0x22cb1e6da2132d43}},
  };
  return hashes;
}

void expect_pinned(const std::string& what, std::string_view variant, const PackedFloats& floats) {
  const auto found = pinned().find(what);
  ASSERT_NE(found, pinned().end()) << what;
  EXPECT_EQ(hash_of(floats), found->second.at(place(variant)))
      << what << ", " << variant << std::hex << ": 0x" << hash_of(floats)
      << ". Caches on disk hold the numbers as they were: count kPackedVersion up, then set the new ones here";
}

TEST(Packed, PanelsAreThoseOfTheVersion) {
  for (const auto& variant : supported(gemm_variants(), CpuInfo::detect())) {
    for (const ConvShape& s : {shape(130, 70, 1), shape(40, 100, 3), shape(60, 90, 3, 2), shape(24, 33, 5)}) {
      Recorder recorder;
      const Conv conv(s, weights_of(s).data(), nullptr, {}, *variant.run, {.source = &recorder});
      expect_pinned(text("panels ", s.kh, "x", s.kw, " ", s.ic, " to ", s.oc), variant.name, recorder.made);
    }
  }
}

TEST(Packed, WinogradWeightsAreThoseOfTheVersion) {
  for (std::size_t i = 0; i < winograd_variants().size(); ++i) {
    const auto& [name, isa, schemes] = winograd_variants()[i];
    if (!CpuInfo::detect().supports(isa)) continue;
    for (const WinogradTransforms* transforms : {&schemes->f4, &schemes->f2, &schemes->f4_stride2}) {
      const ConvShape s = shape(40, 90, 3, 1, transforms->scheme->stride);
      for (const bool stored : {true, false}) {
        Recorder recorder;
        const Conv::Machine machine{.l2_bytes = stored ? 16 << 20 : 64 << 10, .source = &recorder};
        const Winograd made(s, weights_of(s).data(), nullptr, {}, *gemm_variants()[i].run, *transforms, machine);
        expect_pinned(stored ? transforms->scheme->name : "kernels", name, recorder.made);
      }
    }
  }
}

TEST(Packed, TheRecipeLeavesOutWhatDecidesNothing) {
  const ConvShape s = shape(40, 100, 3);
  ConvShape other = s;
  other.mb = 2, other.ih = 30, other.oh = 15, other.sh = 2, other.sw = 2, other.dh = 2, other.ow = 2;
  const std::vector<float> weights = weights_of(s);
  const MicroKernel& kernel = *best(gemm_variants(), CpuInfo::detect()).run;
  Recorder one, two;
  const Conv first(s, weights.data(), nullptr, {}, kernel, {.source = &one});
  const Conv second(other, weights.data(), weights.data(), {}, kernel, {.threads = 3, .source = &two});
  EXPECT_EQ(one.recipe.layout, two.recipe.layout);
  EXPECT_EQ(one.recipe.count, two.recipe.count);
  EXPECT_EQ(hash_of(one.made), hash_of(two.made));
}

TEST(Packed, TheRecipeHasAllWeights) {
  const ConvShape s = shape(60, 90, 3, 2);
  const std::vector<float> weights = weights_of(s);
  Recorder recorder;
  const Conv conv(s, weights.data(), nullptr, {}, *gemm_variants().back().run, {.source = &recorder});
  EXPECT_EQ(recorder.recipe.weights.data(), weights.data());
  EXPECT_EQ(recorder.recipe.weights.size(), weights.size());
}

template <class Make>
void expect_runs_on_found(const ConvShape& s, const Make& make) {
  const ConvCase c{s, {}};
  const Rng rng;
  const ConvData data = make_data(c, [&](std::size_t n) { return rng.floats(n, -1, 1); });
  Recorder recorder;
  const std::vector<float> want = run_tasks(make(data, recorder), c, data);
  Finder finder;
  finder.floats =
      PackedFloats(std::make_shared<PackedFloats>(recorder.made),
                   std::span(std::as_const(recorder.made).data(), static_cast<std::size_t>(recorder.made.size())));
  ConvData gone = data;
  std::ranges::fill(gone.weights, NAN);  // are not looked at
  EXPECT_TRUE(same_numbers(run_tasks(make(gone, finder), c, data), want));
}

TEST(Packed, FoundFloatsAreUsedAsTheyLie) {
  const CpuInfo cpu = CpuInfo::detect();
  const MicroKernel& kernel = *best(gemm_variants(), cpu).run;
  const WinogradTransforms& transforms = best(winograd_variants(), cpu).run->f4;
  expect_runs_on_found(shape(40, 100, 3), [&](const ConvData& data, PackedSource& source) {
    return Conv(shape(40, 100, 3), data.weights.data(), data.bias.data(), {}, kernel, {.source = &source});
  });
  expect_runs_on_found(shape(40, 90, 3), [&](const ConvData& data, PackedSource& source) {
    const Conv::Machine machine{.source = &source};
    return Winograd(shape(40, 90, 3), data.weights.data(), data.bias.data(), {}, kernel, transforms, machine);
  });
}

}  // namespace
}  // namespace tessera
