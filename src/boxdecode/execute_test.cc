// What a whole execution promises: no allocation, one run at a time, any number of contexts at once; and what NaN and
// Identity do to scores.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/count_system_allocations.h"
#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/random_case.h"
#include "count_allocations.h"

namespace tessera::boxdecode::testing {
namespace {

/// Logits of one slot of a combined Float32 head.
void put_slot(Case& c, std::size_t port, std::int64_t y, std::int64_t x, std::int64_t slot, std::vector<float> logits) {
  const auto first = slot * (c.params.num_classes + 5);
  for (std::size_t i = 0; i < logits.size(); ++i) c.put(port, y, x, first + static_cast<std::int64_t>(i), logits[i]);
}

TEST(BoxDecodeExecute, NanObjectnessAndNanClassEmitNothing) {
  for (const std::uint32_t nan : {0x7FC00000u, 0xFFC00000u}) {
    Case c = one_head_case(1, 1, 1, 2);
    c.params.detection_threshold = 0.0f;
    put_slot(c, 0, 0, 0, 0, {0, 0, 0, 0, float_of(nan), 1, 1});
    EXPECT_EQ(ints(run(c).value().outputs[3])[0], 0);
    put_slot(c, 0, 0, 0, 0, {0, 0, 0, 0, 1, 1, float_of(nan)});
    // Without sign it outranks class 0 and the slot yields nothing; with sign it is below everything.
    EXPECT_EQ(ints(run(c).value().outputs[3])[0], nan == 0x7FC00000u ? 0 : 1);
    c.params.multi_label = true;  // affects its own class only
    EXPECT_EQ(ints(run(c).value().outputs[3])[0], 1);
  }
}

// Under Identity a factor below T may be lifted by one above 1, and two negative factors make a positive score.
TEST(BoxDecodeExecute, IdentityProductsAreNeverGated) {
  Case c = one_head_case(1, 1, 1, 1);
  c.params.anchor_grid = {AnchorLevel::square({{16, 8}})};
  c.params.score_activation = ScoreActivation::Identity;
  c.params.detection_threshold = 0.3f;
  put_slot(c, 0, 0, 0, 0, {0.5f, 0.5f, 0.5f, 0.5f, 0.25f, 1.5f});
  EXPECT_EQ(floats(run(c).value().outputs[1])[0], 0.375f);
  c.params.detection_threshold = 0.5f;
  put_slot(c, 0, 0, 0, 0, {0.5f, 0.5f, 0.5f, 0.5f, -2.0f, -0.25f});
  EXPECT_EQ(floats(run(c).value().outputs[1])[0], 0.5f);
  c.params.detection_threshold = 0.0f;
  put_slot(c, 0, 0, 0, 0, {0.5f, 0.5f, 0.5f, 0.5f, 0.0f, -1.0f});  // -0 is admitted and reported as +0
  const Outcome zero = run(c).value();
  EXPECT_EQ(ints(zero.outputs[3])[0], 1);
  EXPECT_EQ(bits_of(floats(zero.outputs[1])[0]), 0u);
}

/// Calls of any allocator while `work` runs.
template <class Work>
long allocations_of(Work&& work) {
  const long before = tessera::test::allocation_count() + system_allocation_count();
  work();
  return tessera::test::allocation_count() + system_allocation_count() - before;
}

TEST(BoxDecodeExecute, AllocatesNothing) {
  SeededChoices choices(3);
  SCOPED_TRACE(choices.where());
  const std::vector<std::string> scanners = usable_scanners();
  std::map<Route, int> routes;
  long cases = 0;
  for (std::size_t i = 0; i < 1500; ++i) {
    Case c = random_case(choices);
    c.scanner = scanners[i % scanners.size()];
    Bound bound(c);
    const Bindings bindings = bound.bindings();
    Status status;
    ASSERT_EQ(allocations_of([&] { status = execute(bound.context, bindings); }), 0) << "case " << i;
    ASSERT_TRUE(status);
    // Refusing allocates nothing either.
    const Bindings bad{bindings.inputs, bindings.outputs.first(3), {}};
    ASSERT_EQ(allocations_of([&] { status = execute(bound.context, bad); }), 0);
    ASSERT_FALSE(status);
    for (std::size_t head = 0; head < bound.plan.head_count(); ++head) ++routes[bound.plan.route(head)];
    ++cases;
  }
  EXPECT_GT(tessera::test::allocation_count(), 0) << "the counter of operator new is not in place";
  EXPECT_GT(system_allocation_count(), 0) << "the counter of malloc is not in place";
  EXPECT_EQ(routes.size(), std::size(kRoutes)) << "a route was never taken";
  report_cases("R2 allocations", cases);
}

TEST(BoxDecodeExecute, ContextsOfOnePlanRunAtOnce) {
  SeededChoices choices(4);
  SCOPED_TRACE(choices.where());
  long cases = 0;
  for (int i = 0; i < 120; ++i) {
    const Case c = random_case(choices);
    const Outcome want = run_reference(c);
    const Plan plan = check_inference(c.request()).value();
    std::atomic<int> wrong{0};
    const auto work = [&] {
      Workspace workspace(plan.workspace_bytes(), std::byte{0x5A});
      Context context = Context::create(plan, workspace.span()).value();
      std::vector<std::vector<std::byte>> bytes;
      for (std::size_t output = 0; output < c.outputs.size(); ++output) bytes.emplace_back(plan.output_bytes(output));
      const std::vector<std::span<std::byte>> outputs(bytes.begin(), bytes.end());
      const auto inputs = c.views();
      for (int round = 0; round < 10; ++round) {
        if (!execute(context, {inputs, outputs, c.original_sizes}) || bytes != want.outputs) ++wrong;
      }
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(wrong.load(), 0) << "case " << i;
    ++cases;
  }
  report_cases("R2 threads", cases);
}

// Two threads on one context: each call either succeeds or says ContextBusy; the context works afterwards.
TEST(BoxDecodeExecute, BusyContextIsRefusedWithoutWaiting) {
  Case c = one_head_case(64, 64, 3, 8);
  c.params.detection_threshold = 0.0f;
  Bound bound(c);
  std::vector<std::vector<std::byte>> bytes = bound.output_bytes;
  const std::vector<std::span<std::byte>> other_outputs(bytes.begin(), bytes.end());
  std::atomic<bool> stop{false};
  std::atomic<int> busy{0}, unexpected{0};
  std::thread other([&] {
    while (!stop) {
      const Status status = execute(bound.context, {bound.inputs, other_outputs});
      if (!status) (status.error().code == ErrorCode::ContextBusy ? busy : unexpected)++;
    }
  });
  for (int i = 0; i < 100'000 && busy == 0; ++i) {
    const Status status = execute(bound.context, bound.bindings());
    if (!status) (status.error().code == ErrorCode::ContextBusy ? busy : unexpected)++;
  }
  stop = true;
  other.join();
  EXPECT_GT(busy.load(), 0);
  EXPECT_EQ(unexpected.load(), 0);
  EXPECT_TRUE(execute(bound.context, bound.bindings()));
}

}  // namespace
}  // namespace tessera::boxdecode::testing
