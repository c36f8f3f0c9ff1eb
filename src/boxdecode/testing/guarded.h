#pragma once
// Memory whose neighbours do not exist: a byte read or written beyond ends the test program.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>

namespace tessera::boxdecode::testing {

/// Bytes that end (or begin) at an inaccessible page.
class Guarded {
 public:
  Guarded(std::size_t bytes, std::size_t alignment, bool at_end) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t body = (bytes + page - 1) / page * page;
    size_ = body + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + page, body, PROT_READ | PROT_WRITE);
    // Sizes are multiples of the alignment, so that the last byte really is the last before the page.
    EXPECT_EQ(bytes % alignment, 0u);
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

}  // namespace tessera::boxdecode::testing
