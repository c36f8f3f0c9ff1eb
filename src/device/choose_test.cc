// The chooser against a device made for the test, whose lists and reasons are known.

#include "device/choose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device_test.h"
#include "device/reference/reference.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

const Isa kForeign = CpuInfo::detect().supports(Isa::neon) ? Isa::avx2 : Isa::neon;

std::optional<std::string> only_3x3(const ImplContext& context) {
  const auto& conv = std::get<ConvAttrs>(context.node->attrs);
  if (conv.kh != 3) return "only 3x3";
  return std::nullopt;
}
std::optional<std::string> twice(const ImplContext&) { return "would take twice the time"; }
std::span<const NodeImplInfo> lab_impls(const Attrs& op) {
  static const NodeImplInfo kConv[] = {{"conv_foreign", kForeign, takes_all, make_conv_reference},
                                       {"conv_3x3", Isa::none, only_3x3, make_conv_reference},
                                       {"conv_transformed", Isa::none, takes_all, make_conv_reference, twice, false},
                                       {"conv_good", Isa::none, takes_all, make_conv_reference},
                                       kConvReference};
  if (std::holds_alternative<ConvAttrs>(op)) return kConv;
  return {};
}
constexpr DeviceInfo kLab{"lab", "for tests", lab_impls};

struct Choosing {
  Graph graph = testing::small_graph();
  ImplContext context{&graph, &graph.nodes[1], CpuInfo::detect(), 1};
  Chooser chooser{&kLab, {}, {}};
  NodeChoice choice;

  std::string chosen() {
    const auto impl = chooser.choose(context, choice);
    return impl ? (*impl)->name : impl.error().message;
  }
  std::map<std::string, const NodeImplInfo*> force(const std::string& name) {
    return *find_forced(kLab, context.cpu, {{"conv", name}});
  }
};

TEST(Choose, TheFirstThatTakesItAndWhyNotTheBetterOnes) {
  Choosing c;
  EXPECT_EQ(c.chosen(), "conv_good");
  EXPECT_EQ(c.choice.node, "conv");
  EXPECT_EQ(c.choice.impl, "conv_good");
  EXPECT_THAT(c.choice.skipped, ElementsAre(std::string("conv_foreign: needs ") + to_string(kForeign),
                                            "conv_3x3: only 3x3", "conv_transformed: would take twice the time"));
}

TEST(Choose, WhatIsForcedNeedNotBeFast) {
  Choosing c;
  c.chooser.forced = c.force("conv_transformed");
  EXPECT_EQ(c.chosen(), "conv_transformed");
}

TEST(Choose, ExactLeavesOutWhatIsNot) {
  Choosing c;
  c.chooser.exact = true;
  EXPECT_EQ(c.chosen(), "conv_good");
  EXPECT_EQ(c.choice.skipped.back(), "conv_transformed: not exact");
  c.chooser.forced = c.force("conv_transformed");
  EXPECT_EQ(c.chosen(), "conv_good");
  EXPECT_EQ(c.choice.skipped.front(), "conv_transformed: forced, but not exact");
}

TEST(Choose, DisabledOnesAreSkipped) {
  Choosing c;
  c.chooser.disabled = {"conv_good"};
  EXPECT_EQ(c.chosen(), "conv_reference");
  EXPECT_EQ(c.choice.skipped.back(), "conv_good: disabled");
  c.chooser.disabled = {"conv_good", "conv_reference", "conv_foreign"};
  EXPECT_EQ(Choosing(c).chosen(),
            "conv 'conv': device 'lab' has nothing that takes it (conv_foreign: disabled, conv_3x3: only 3x3, "
            "conv_transformed: would take twice the time, conv_good: disabled, conv_reference: disabled)");
}

TEST(Choose, ForcedOnesComeFirst) {
  Choosing c;
  c.chooser.forced = c.force("naive");
  EXPECT_EQ(c.chosen(), "conv_reference");
  EXPECT_TRUE(c.choice.skipped.empty());
  c.chooser.forced = c.force("conv_3x3");  // does not take this node: the usual choice, with the reason
  EXPECT_EQ(c.chosen(), "conv_good");
  EXPECT_EQ(c.choice.skipped.front(), "conv_3x3: forced, but only 3x3");
}

TEST(Choose, AForcedKernelMustRunHere) {
  const auto forced = find_forced(kLab, CpuInfo::detect().limited_to(Isa::none), {{"conv", "conv_foreign"}});
  ASSERT_FALSE(forced.has_value());
  EXPECT_EQ(forced.error().code, Code::unsupported);
  EXPECT_EQ(forced.error().message,
            std::string("kernel conv=conv_foreign: needs ") + to_string(kForeign) + ", allowed here is scalar");
}

TEST(Choose, OperatorsThatTheDeviceLacks) {
  Choosing c;
  c.context.node = &c.graph.nodes[2];
  EXPECT_EQ(c.chosen(), "activation 'relu': device 'lab' has nothing that takes it");
}

TEST(Choose, DisabledNamesAreSorted) {
  const std::string names[] = {"reuse", "conv_3x3", "fuse-residual"};
  const auto disabled = sort_disabled(kLab, names);
  ASSERT_TRUE(disabled.has_value());
  EXPECT_THAT(disabled->passes, ElementsAre("fuse-residual"));
  EXPECT_THAT(disabled->impls, ElementsAre("conv_3x3"));
  EXPECT_FALSE(disabled->memory.reuse);
  EXPECT_TRUE(disabled->memory.zero_copy);
}

}  // namespace
}  // namespace tessera
