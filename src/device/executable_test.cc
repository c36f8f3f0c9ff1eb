// What prepare accepts, chooses and refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "device/device_test.h"
#include "graph/ops/ops.h"

namespace tessera {
namespace {

using testing::constant;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::outputs_of;
using testing::small_graph;

template <std::size_t I = 0>
Attrs attrs_at(std::size_t index) {
  if constexpr (I + 1 == std::variant_size_v<Attrs>)
    return Attrs(std::in_place_index<I>);
  else
    return index == I ? Attrs(std::in_place_index<I>) : attrs_at<I + 1>(index);
}

std::string refusal(const PrepareOptions& options, Graph graph = small_graph()) {
  const auto exec = Executable::prepare(std::move(graph), options);
  return exec ? "" : exec.error().message;
}

TEST(Devices, AreListedAndFound) {
  EXPECT_EQ(devices().size(), 2u);
  EXPECT_STREQ((*find_device("cpu"))->name, "cpu");
  const auto none = find_device("npu");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, Code::not_found);
  EXPECT_EQ(none.error().message, "device 'npu' is not built in; there are cpu, reference");
  EXPECT_EQ(refusal({.device = "npu"}), none.error().message);
}

TEST(Devices, EveryListEndsWithTheReference) {
  for (const DeviceInfo* device : devices()) {
    for (const OpInfo& info : ops()) {
      const Attrs op = attrs_at(info.attrs);
      if (std::holds_alternative<InputAttrs>(op) || std::holds_alternative<ConstantAttrs>(op)) {
        EXPECT_TRUE(device->impls(op).empty());
        continue;
      }
      ASSERT_FALSE(device->impls(op).empty()) << device->name << ' ' << op_name(op);
      EXPECT_EQ(device->impls(op).back().name, text(op_name(op), "_reference")) << device->name;
    }
  }
}

TEST(Executable, RunsOnEveryDevice) {
  for (const DeviceInfo* device : devices()) {
    const auto exec = Executable::prepare(small_graph(), {.device = device->name});
    ASSERT_TRUE(exec.has_value()) << exec.error().message;
    auto context = ExecutionContext::create(*exec, 1);
    ASSERT_TRUE(context.has_value());
    ThreadPool pool(1);
    testing::fill(context->input(0), {3, -4});
    context->run(pool);
    EXPECT_THAT(testing::read(context->output(0)), ElementsAre(7, 3, 0, -4)) << device->name;
  }
}

TEST(Executable, TellsWhatItIs) {
  const auto exec = Executable::prepare(small_graph(), {.device = "reference", .threads = 3});
  ASSERT_TRUE(exec.has_value());
  EXPECT_EQ((*exec)->graph().nodes.size(), 3u);  // x, conv with relu, both
  EXPECT_EQ((*exec)->choices().size(), 3u);
  EXPECT_EQ((*exec)->choices()[0].impl, "");
  EXPECT_EQ((*exec)->choices()[1].node, "conv");
  EXPECT_EQ((*exec)->choices()[1].impl, "conv_reference");
  EXPECT_EQ((*exec)->choices()[2].impl, "concat_reference");
  EXPECT_EQ((*exec)->weight_bytes(), 8);
  EXPECT_EQ((*exec)->fallback_nodes(), 0);
  EXPECT_EQ((*exec)->options().threads, 3);
  EXPECT_EQ((*exec)->memory().placements.size(), (*exec)->graph().values.size());
}

TEST(Executable, NodesForcedOntoTheReferenceCountAsFallbacksOfTheCpu) {
  const auto exec = Executable::prepare(small_graph(), {.forced_kernels = {{"conv", "naive"}, {"concat", "naive"}}});
  ASSERT_TRUE(exec.has_value()) << exec.error().message;
  EXPECT_EQ((*exec)->choices()[1].impl, "conv_reference");
  EXPECT_EQ((*exec)->choices()[2].impl, "concat_reference");
  EXPECT_EQ((*exec)->fallback_nodes(), 2);
}

TEST(Executable, PassesReuseAndZeroCopyCanBeSwitchedOff) {
  const auto plain = Executable::prepare(small_graph(), {.disabled = {"fuse-activation"}});
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ((*plain)->graph().nodes.size(), 4u);
  const auto bytes = [](std::vector<std::string> disabled) {
    Graph graph;
    ValueId x = graph.add_input("x", {1, 1, 1, 16});
    for (const char* name : {"a", "b", "c"}) x = graph.add(name, SoftmaxAttrs{}, {x});
    graph.outputs = {graph.add("d", SliceAttrs{0, 8}, {x})};
    EXPECT_TRUE(infer_shapes(graph).has_value());
    return (*Executable::prepare(graph, {.device = "reference", .disabled = std::move(disabled)}))
        ->memory()
        .arena_bytes;
  };
  EXPECT_EQ(bytes({}), 128);
  EXPECT_EQ(bytes({"reuse"}), 256);
  EXPECT_EQ(bytes({"reuse", "zero-copy"}), 320);
}

// A model's weights are in memory once, as its kernels want them.
TEST(Executable, LetsGoOfConstantsThatAreInItsKernels) {
  auto weights = std::make_shared<const std::vector<float>>(16 * 16, 0.5f);
  const std::weak_ptr<const std::vector<float>> alive = weights;
  Graph graph;
  const ValueId x = graph.add_input("x", {1, 4, 4, 16});
  graph.outputs = {graph.add("conv", ConvAttrs{.oc = 16, .weights = std::move(weights)}, {x})};
  ASSERT_TRUE(infer_shapes(graph).has_value());
  auto kept = Executable::prepare(graph, {.keep_constants = true});
  ASSERT_TRUE(kept.has_value()) << kept.error().message;
  EXPECT_EQ(std::get<ConvAttrs>((*kept)->graph().nodes[1].attrs).weights->size(), 16u * 16);
  kept->reset();
  const auto exec = Executable::prepare(std::move(graph), {});
  ASSERT_TRUE(exec.has_value()) << exec.error().message;
  EXPECT_TRUE(alive.expired());
  EXPECT_EQ(parameters((*exec)->graph().nodes[1]), 16 * 16);
  EXPECT_EQ(macs((*exec)->graph(), (*exec)->graph().nodes[1]), 4 * 4 * 16 * 16);
}

TEST(Executable, LeavesTheCallersGraphAlone) {
  const Graph graph = small_graph();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(Executable::prepare(graph, {}).has_value());
  EXPECT_THAT(*std::get<ConvAttrs>(graph.nodes[1].attrs).weights, ElementsAre(2));
}

TEST(Executable, UnknownNamesAreRefusedWithWhatExists) {
  const std::string disabled = refusal({.device = "reference", .disabled = {"conv_turbo"}});
  EXPECT_THAT(disabled, HasSubstr("cannot disable 'conv_turbo': device 'reference' knows remove-dead, "));
  EXPECT_THAT(disabled, HasSubstr(", reuse, zero-copy, chains, activation_reference, "));
  EXPECT_THAT(refusal({.device = "reference", .forced_kernels = {{"convolution", "naive"}}}),
              HasSubstr("kernel convolution=naive: device 'reference' has no operator 'convolution'; there are "
                        "activation, add, batch_norm, binary, concat, concat_dims, conv, "));
  EXPECT_EQ(refusal({.device = "reference", .forced_kernels = {{"conv", "turbo"}}}),
            "kernel conv=turbo: device 'reference' has none of that name; there are naive, conv_reference");
}

TEST(Executable, NothingTakesANodeWhoseKernelsAreAllDisabled) {
  EXPECT_EQ(refusal({.device = "reference", .disabled = {"conv_reference"}}),
            "conv 'conv': device 'reference' has nothing that takes it (conv_reference: disabled)");
}

TEST(Executable, ThreadsAreChecked) {
  EXPECT_EQ(refusal({.threads = -1}), "threads: -1, want 0 (all allowed) to 1024");
  EXPECT_EQ(refusal({.threads = 1025}), "threads: 1025, want 0 (all allowed) to 1024");
  const auto exec = Executable::prepare(small_graph(), {});
  ASSERT_TRUE(exec.has_value());
  EXPECT_EQ((*exec)->options().threads, allowed_cpus());
  const auto context = ExecutionContext::create(*exec, 0);
  ASSERT_FALSE(context.has_value());
  EXPECT_EQ(context.error().message, "context: 0 threads, want at least 1");
}

TEST(Executable, AnIsaThatIsNotThereIsAnError) {
  const Isa foreign = CpuInfo::detect().supports(Isa::neon) ? Isa::avx2 : Isa::neon;
  EXPECT_THAT(refusal({.isa = foreign}), HasSubstr(text("isa ", to_string(foreign), ": this processor (")));
}

TEST(Executable, ScalarTakesOnlyPlainKernels) {
  const auto exec = Executable::prepare(testing::RandomGraph(3).make(30), {.isa = Isa::none});
  ASSERT_TRUE(exec.has_value());
  for (const NodeChoice& choice : (*exec)->choices()) EXPECT_THAT(choice.impl, Not(HasSubstr("avx"))) << choice.node;
}

TEST(Executable, BrokenGraphsAreRefused) {
  Graph graph = small_graph();
  graph.outputs = {};
  EXPECT_EQ(refusal({}, graph), "the graph has no outputs, want at least one");
}

TEST(Executable, LogsEachChoice) {
  std::vector<std::string> lines;
  const auto sink = [&lines](LogLevel, std::string_view line) { lines.emplace_back(line); };
  ASSERT_TRUE(Executable::prepare(small_graph(), {.device = "reference", .log = sink}).has_value());
  EXPECT_THAT(lines, Contains("conv 'conv': conv_reference"));
  EXPECT_THAT(lines, Contains("pass fuse-activation: 1 places"));
}

}  // namespace
}  // namespace tessera
