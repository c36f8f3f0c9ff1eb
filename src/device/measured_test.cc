// Choice by time, with a clock that says what the test wants.

#include "device/measured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device_test.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::optional<std::string> never(const ImplContext&) { return "only on holidays"; }
std::optional<std::string> a_guess(const ImplContext&) { return "would take twice the time"; }

std::span<const NodeImplInfo> lab_impls(const Attrs& op) {
  static const NodeImplInfo kConv[] = {{"conv_never", Isa::none, never, make_conv_reference},
                                       {"conv_guessed_slow", Isa::none, takes_all, make_conv_reference, a_guess, false},
                                       {"conv_usual", Isa::none, takes_all, make_conv_reference},
                                       kConvReference};
  if (std::holds_alternative<ConvAttrs>(op)) return kConv;
  return {};
}
constexpr DeviceInfo kLab{"lab", "for tests", lab_impls};

/// Runs take these seconds, one after the other and from the start again.
struct FakeClock {
  std::vector<double> seconds;
  int calls = 0;
  double now = 0;

  Clock clock() {
    return [this] {
      if (calls++ % 2 == 1) now += seconds[static_cast<std::size_t>(calls / 2 - 1) % seconds.size()];
      return now;
    };
  }
};

struct Measuring {
  Graph graph = testing::small_graph();
  ImplContext context{&graph, &graph.nodes[1], CpuInfo::detect(), 2};
  Chooser chooser{&kLab, {}, {}};
  NodeChoice choice;

  std::string chosen(FakeClock& clock) {
    auto measured = MeasuredChoice::create(clock.clock(), 2, 1 << 14);
    EXPECT_TRUE(measured.has_value());
    return chosen(*measured, 1);
  }
  std::string chosen(MeasuredChoice& measured, std::int64_t stride) {
    const std::int64_t strides[] = {1, stride};
    const auto impl = measured.choose(chooser, context, strides, choice);
    return impl ? (*impl)->name : impl.error().message;
  }
};

TEST(Measured, TheFastestWhateverTheModelSays) {
  Measuring m;
  FakeClock guessed_is_fast{{1, 2}}, usual_is_fast{{2, 1}};
  EXPECT_EQ(m.chosen(guessed_is_fast), "conv_guessed_slow");
  EXPECT_THAT(m.choice.skipped, ElementsAre(HasSubstr("conv_usual: took ")));
  EXPECT_EQ(m.chosen(usual_is_fast), "conv_usual");
  EXPECT_EQ(m.choice.impl, "conv_usual");
}

TEST(Measured, TheMedianCountsNotOneRun) {
  Measuring m;
  FakeClock clock{{3, 2, 3, 2, 0, 9, 3, 2, 3, 9}};
  EXPECT_EQ(m.chosen(clock), "conv_usual");
}

TEST(Measured, WhatMayNotBeTakenIsNotTimed) {
  Measuring m;
  FakeClock clock{{1, 2}};
  m.chooser.exact = true;
  EXPECT_EQ(m.chosen(clock), "conv_usual");
  EXPECT_EQ(clock.calls, 0) << "one contender needs no time";
}

TEST(Measured, NodesThatLookAlikeAreTimedOnce) {
  Measuring m;
  FakeClock clock{{1, 2}};
  auto measured = MeasuredChoice::create(clock.clock(), 2, 1 << 14);
  EXPECT_EQ(m.chosen(*measured, 1), "conv_guessed_slow");
  const int calls = clock.calls;
  EXPECT_GT(calls, 0);
  EXPECT_EQ(m.chosen(*measured, 1), "conv_guessed_slow");
  EXPECT_EQ(clock.calls, calls);
  EXPECT_EQ(m.chosen(*measured, 2), "conv_guessed_slow");
  EXPECT_EQ(clock.calls, 2 * calls) << "other strides, other times";
}

// A whole network: choices differ with the clock, outputs stay those of its kernels.
TEST(Measured, ANetworkIsPreparedByTime) {
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 30, 26, 32});
  ConvAttrs conv{.oc = 40,
                 .kh = 3,
                 .kw = 3,
                 .pad = {1, 1, 1, 1},
                 .weights = std::make_shared<const std::vector<float>>(40 * 32 * 9, 1.0f)};
  graph.outputs = {graph.add("conv", conv, {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  FakeClock first_is_fast{{1, 5, 5}}, last_is_fast{{5, 5, 1}};  // Winograd's two schemes and the direct sum
  const auto kernel = [&](FakeClock& clock) {
    const auto exec = Executable::prepare(graph, {.threads = 2, .clock = clock.clock()});
    return exec ? (*exec)->choices()[1].impl : exec.error().message;
  };
  EXPECT_THAT(kernel(first_is_fast), HasSubstr("conv_winograd_"));
  EXPECT_THAT(kernel(last_is_fast), HasSubstr("conv_gemm_"));
}

}  // namespace
}  // namespace tessera
