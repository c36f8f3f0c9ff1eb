// A file of its own, so that the compiler cannot pair this operator new with a delete it knows.

#include "boxdecode/testing/count_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}  // namespace

void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace tessera::boxdecode::testing {
long allocation_count() { return allocations.load(); }
}  // namespace tessera::boxdecode::testing
