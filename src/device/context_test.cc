// Runs: slow twins give the same bits, threads change nothing, nothing is allocated.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "count_allocations.h"
#include "device/cpu/cpu.h"
#include "device/device_test.h"

namespace tessera {
namespace {

using testing::outputs_of;
using testing::RandomGraph;

TEST(Context, RunAllocatesNothing) {
  for (const DeviceInfo* device : devices()) {
    const auto exec = Executable::prepare(RandomGraph(5).make(40), {.device = device->name});
    ASSERT_TRUE(exec.has_value());
    auto context = ExecutionContext::create(*exec, 2);
    ASSERT_TRUE(context.has_value());
    ThreadPool pool(2);
    context->run(pool);
    const long before = test::allocation_count();
    context->run(pool);
    EXPECT_EQ(test::allocation_count() - before, 0) << device->name;
  }
  const long before = test::allocation_count();
  ::operator delete(::operator new(1));
  EXPECT_EQ(test::allocation_count() - before, 1) << "the counter does not count";
}

// An arena with reuse against one without, views against copies: the same numbers whatever lies where.
TEST(Context, PlansDoNotChangeBits) {
  for (const DeviceInfo* device : devices()) {
    for (unsigned seed = 0; seed < 150; ++seed) {
      const Graph graph = RandomGraph(seed).make(30);
      const std::vector<float> planned = outputs_of(graph, {.device = device->name});
      ASSERT_FALSE(planned.empty());
      for (const std::vector<std::string>& disabled :
           {std::vector<std::string>{"reuse"}, {"zero-copy"}, {"reuse", "zero-copy"}}) {
        const std::vector<float> plain = outputs_of(graph, {.device = device->name, .disabled = disabled});
        ASSERT_TRUE(std::memcmp(planned.data(), plain.data(), planned.size() * sizeof(float)) == 0)
            << device->name << " seed " << seed << " without " << disabled.front();
      }
    }
  }
}

TEST(Context, ThreadsDoNotChangeBits) {
  for (const DeviceInfo* device : devices()) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      const Graph graph = RandomGraph(seed).make(30);
      const std::vector<float> one = outputs_of(graph, {.device = device->name, .threads = 1}, 1);
      const std::vector<float> four = outputs_of(graph, {.device = device->name, .threads = 4}, 4);
      ASSERT_TRUE(std::memcmp(one.data(), four.data(), one.size() * sizeof(float)) == 0)
          << device->name << " seed " << seed;
    }
  }
}

// On exact graphs every order of summation gives the same numbers, so all devices, ISA levels and passes agree fully.
// Winograd divides by 6 and 24 and is the one exception; its own tests derive its tolerance.
TEST(Context, ExactGraphsAgreeEverywhere) {
  std::vector<std::string> winograd;
  for (const NodeImplInfo& impl : cpu_impls(ConvAttrs{})) {
    if (std::string_view(impl.name).find("winograd") != std::string_view::npos) winograd.emplace_back(impl.name);
  }
  std::vector<PrepareOptions> variants{{.device = "reference", .disabled = {"drop-identities"}},
                                       {.device = "reference", .disabled = {"fuse-activation"}},
                                       {.device = "reference", .disabled = {"fuse-residual"}},
                                       {.device = "reference", .disabled = {"spp-cascade", "remove-dead"}}};
  for (Isa isa : {Isa::none, Isa::avx2, Isa::avx512, Isa::avx512_vnni, Isa::avx512_bf16, Isa::neon}) {
    if (CpuInfo::detect().supports(isa)) variants.push_back({.isa = isa, .disabled = winograd});
  }
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Graph graph = RandomGraph(seed, true).make(20);
    const std::vector<float> want = outputs_of(graph, {.device = "reference"});
    for (float v : want) ASSERT_LT(std::abs(v), 1 << 24) << "not exact";
    for (const PrepareOptions& options : variants) {
      const std::vector<float> got = outputs_of(graph, options);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < want.size(); ++i) {
        ASSERT_EQ(got[i], want[i]) << "seed " << seed << ", " << options.device << ", isa "
                                   << (options.isa ? to_string(*options.isa) : "any") << ", element " << i;
      }
    }
  }
}

TEST(Context, EachContextHasItsOwnState) {
  const auto exec = Executable::prepare(testing::small_graph(), {});
  ASSERT_TRUE(exec.has_value());
  auto a = ExecutionContext::create(*exec, 1), b = ExecutionContext::create(*exec, 1);
  ThreadPool pool(1);
  testing::fill(a->input(0), {1, 2});
  testing::fill(b->input(0), {5, 6});
  a->run(pool);
  b->run(pool);
  EXPECT_THAT(testing::read(a->output(0)), ::testing::ElementsAre(3, 1, 5, 2));
  EXPECT_THAT(testing::read(b->output(0)), ::testing::ElementsAre(11, 5, 13, 6));
  ExecutionContext moved = std::move(*a);
  moved.run(pool);
  EXPECT_THAT(testing::read(moved.output(0)), ::testing::ElementsAre(3, 1, 5, 2));
}

TEST(Context, ObservesEveryNodeButInputsInOrder) {
  const auto exec = Executable::prepare(testing::small_graph(), {.disabled = {"fuse-activation"}});
  ASSERT_TRUE(exec.has_value());
  auto context = ExecutionContext::create(*exec, 1);
  ThreadPool pool(1);
  testing::fill(context->input(0), {1, -2});
  std::vector<std::pair<std::string, std::vector<float>>> seen;
  context->run_observed(pool, [&](std::size_t node, const TensorRef& output) {
    seen.emplace_back((*exec)->graph().nodes[node].name, testing::read(output));
  });
  using Seen = std::pair<std::string, std::vector<float>>;
  EXPECT_THAT(seen, ::testing::ElementsAre(Seen{"conv", {3, -3}}, Seen{"relu", {3, 0}}, Seen{"both", {3, 1, 0, -2}}));
}

}  // namespace
}  // namespace tessera
