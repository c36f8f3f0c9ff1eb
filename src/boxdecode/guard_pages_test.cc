// Buffers of exactly the reported sizes between inaccessible pages.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "boxdecode/testing/bound.h"
#include "boxdecode/testing/expect.h"
#include "boxdecode/testing/guarded.h"
#include "boxdecode/testing/random_case.h"

namespace tessera::boxdecode::testing {
namespace {

/// One execution with everything between inaccessible pages, inputs read-only.
struct GuardedRun {
  std::vector<std::unique_ptr<Guarded>> memory;
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;

  Guarded& add(std::size_t bytes, std::size_t alignment, bool at_end) {
    memory.push_back(std::make_unique<Guarded>(bytes, alignment, at_end));
    return *memory.back();
  }
  Status operator()(const Case& c, const Plan& plan, bool at_end) {
    const Guarded& workspace = add(plan.workspace_bytes(), plan.workspace_alignment(), at_end);
    for (std::size_t port = 0; port < c.inputs.size(); ++port) {
      Guarded& input = add(plan.input_bytes(port), plan.input_alignment(port), at_end);
      std::ranges::copy(c.bytes[port], input.bytes().begin());
      input.read_only();
      inputs.push_back(input.bytes());
    }
    for (std::size_t i = 0; i < c.outputs.size(); ++i) {
      outputs.push_back(add(plan.output_bytes(i), plan.output_alignment(i), at_end).bytes());
    }
    Context context = Context::create(plan, workspace.bytes()).value();
    return execute(context, {inputs, outputs, c.original_sizes});
  }
};

TEST(BoxDecodeGuardPages, ExecutionStaysInsideTheReportedSizes) {
  SeededChoices choices(5);
  SCOPED_TRACE(choices.where());
  const std::vector<std::string> scanners = usable_scanners();
  std::map<Route, int> routes;
  long cases = 0;
  for (std::size_t i = 0; i < 1200; ++i) {
    Case c = random_case(choices);
    c.scanner = scanners[i % scanners.size()];
    const auto plan = check_inference(c.request());
    ASSERT_TRUE(plan) << to_string(plan.error());
    for (std::size_t port = 0; port < c.inputs.size(); ++port) {
      ASSERT_EQ(plan->input_bytes(port), c.bytes[port].size()) << "case " << i << " port " << port;
    }
    const Outcome want = run_reference(c);
    for (const bool at_end : {false, true}) {
      GuardedRun guarded;
      ASSERT_TRUE(guarded(c, *plan, at_end));
      for (std::size_t output = 0; output < want.outputs.size(); ++output) {
        ASSERT_TRUE(std::ranges::equal(guarded.outputs[output], want.outputs[output])) << "case " << i;
      }
      ++cases;
    }
    for (std::size_t head = 0; head < plan->head_count(); ++head) ++routes[plan->route(head)];
  }
  EXPECT_EQ(routes.size(), std::size(kRoutes)) << "a route was never taken";
  report_cases("G1", cases);
}

// The single-class dense route reads one word per cell and nothing else: here every row ends at an inaccessible page.
TEST(BoxDecodeGuardPages, SingleClassRowsMayEndAtInaccessiblePages) {
  const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  for (const std::int64_t w : {1, 2, 31, 32, 33, 65}) {
    const std::int64_t pixel_channels = w == 2 ? 1024 : 1;
    const std::int64_t row_bytes = 2 * ((w - 1) * pixel_channels + 1), h = 9;
    Case c = separate_case(Profile::Yolo26RawLtrb, h, w, 1);
    c.inputs = {dense_input(DType::BFloat16, h, w, 4), dense_input(DType::BFloat16, h, w, 1)};
    c.inputs[1].layout = Strided{{2 * page, 2 * pixel_channels, 2}};
    c.fit_bytes(std::byte{0x3F});  // words 3F3F: 0.746
    const Outcome want = run_reference(c);
    ASSERT_EQ(static_cast<std::int64_t>(c.bytes[1].size()), (h - 1) * 2 * page + row_bytes);
    auto* base = static_cast<std::byte*>(mmap(nullptr, static_cast<std::size_t>(2 * h * page), PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::byte* first = base + page - row_bytes;
    std::ranges::copy(c.bytes[1], first);
    for (std::int64_t row = 0; row < h; ++row) {
      mprotect(base + (2 * row + 1) * page, static_cast<std::size_t>(page), PROT_NONE);
    }
    for (const std::string& scanner : usable_scanners()) {
      c.scanner = scanner;
      Bound bound(c);
      EXPECT_EQ(bound.plan.route(0), Route::DenseSingleBF16);
      bound.inputs[1] = {first, c.bytes[1].size()};
      ASSERT_TRUE(execute(bound.context, bound.bindings()));
      EXPECT_EQ(bound.output_bytes, want.outputs) << scanner << " w " << w;
    }
    munmap(base, static_cast<std::size_t>(2 * h * page));
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
