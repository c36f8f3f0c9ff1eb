#include "boxdecode/testing/count_system_allocations.h"

#include <sys/mman.h>

#include <atomic>
#include <cstddef>

// Names that --wrap prescribes: calls of f arrive at __wrap_f, and __real_f is what f was.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* p, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void* __real_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset);
void* __wrap_malloc(std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size);
void* __wrap_realloc(void* p, std::size_t size);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size);
void* __wrap_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset);
}

namespace {
std::atomic<long> calls{0};
}

void* __wrap_malloc(std::size_t size) { return ++calls, __real_malloc(size); }
void* __wrap_calloc(std::size_t count, std::size_t size) { return ++calls, __real_calloc(count, size); }
void* __wrap_realloc(void* p, std::size_t size) { return ++calls, __real_realloc(p, size); }
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return ++calls, __real_aligned_alloc(alignment, size);
}
void* __wrap_mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  return ++calls, __real_mmap(at, size, protection, flags, file, offset);
}

namespace tessera::boxdecode::testing {

long system_allocation_count() { return calls; }

}  // namespace tessera::boxdecode::testing
