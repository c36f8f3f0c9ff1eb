// Replaces operator new for this test program. In a file of its own: where the compiler sees both replacements and
// calls it reports mismatched pairs.

#include "count_allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};
std::atomic<long> until_failure{-1};

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (void* out = std::aligned_alloc(alignment, rounded)) return out;
  throw std::bad_alloc();
}

}  // namespace

namespace tessera::test {

long allocation_count() { return allocations; }
void fail_allocation_after(long count) { until_failure = count; }

}  // namespace tessera::test

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) { return allocate(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocate(size, static_cast<std::size_t>(a)); }
// The forms that do not throw too: std::stable_sort asks for its buffer that way and gives it back to these deletes.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return ++allocations, std::malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return ++allocations, std::malloc(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
