// Buffers of exactly the reported sizes between inaccessible pages.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "boxdecode/testing/random_case.h"

namespace tessera::boxdecode::testing {
namespace {

/// Bytes that end (or begin) at an inaccessible page.
class Guarded {
 public:
  Guarded(std::size_t bytes, std::size_t alignment, bool at_end) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t body = (bytes + page - 1) / page * page;
    size_ = body + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + page, body, PROT_READ | PROT_WRITE);
    const std::size_t gap = at_end ? (body - bytes) / alignment * alignment : 0;
    bytes_ = {base_ + page + gap, bytes};
  }
  ~Guarded() { munmap(base_, size_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  std::span<std::byte> bytes() const { return bytes_; }
  void read_only() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    mprotect(base_ + page, size_ - 2 * page, PROT_READ);
  }

 private:
  std::byte* base_;
  std::size_t size_;
  std::span<std::byte> bytes_;
};

TEST(BoxDecodeExecute, StaysInsideTheReportedSizes) {
  SeededChoices choices(5);
  SCOPED_TRACE(choices.where());
  for (int i = 0; i < 600; ++i) {
    Case c = random_case(choices);
    static constexpr const char* kScanners[] = {"scalar", "avx2", "avx512"};
    c.scanner = kScanners[i % 3];
    auto plan = check_inference(c.request());
    if (!plan) {
      ASSERT_EQ(plan.error().code, ErrorCode::UnsupportedScanner);
      continue;
    }
    const bool at_end = i % 2 == 0;
    Guarded workspace(plan->workspace_bytes(), 64, at_end);
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<std::span<const std::byte>> inputs;
    std::vector<std::span<std::byte>> outputs;
    for (std::size_t port = 0; port < c.inputs.size(); ++port) {
      memory.push_back(std::make_unique<Guarded>(plan->input_bytes(port), plan->input_alignment(port), at_end));
      std::memcpy(memory.back()->bytes().data(), c.bytes[port].data(), plan->input_bytes(port));
      memory.back()->read_only();
      inputs.push_back(memory.back()->bytes());
    }
    for (std::size_t output = 0; output < 4; ++output) {
      memory.push_back(std::make_unique<Guarded>(plan->output_bytes(output), plan->output_alignment(output), at_end));
      outputs.push_back(memory.back()->bytes());
    }
    Context context = Context::create(*plan, workspace.bytes()).value();
    ASSERT_TRUE(execute(context, {inputs, outputs, c.original_sizes}));
    Outcome got = run(c).value();
    for (std::size_t output = 0; output < 4; ++output) {
      ASSERT_TRUE(std::ranges::equal(outputs[output], got.outputs[output])) << "case " << i;
    }
  }
}

}  // namespace
}  // namespace tessera::boxdecode::testing
