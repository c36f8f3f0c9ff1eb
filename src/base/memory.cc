#include "base/memory.h"

#include <cstdlib>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tessera {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLarge = kHugePage / 2;  // from here on a piece has pages of its own

constexpr std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Zeroed by writing, so that the pages are there before the first run.
std::shared_ptr<std::byte> allocate(std::size_t bytes, std::size_t alignment) {
  void* memory = std::aligned_alloc(alignment, round_up(bytes, alignment));
  if (!memory) return nullptr;
#if defined(__linux__)
  if (alignment == kHugePage) ::madvise(memory, round_up(bytes, alignment), MADV_HUGEPAGE);  // a wish: may be refused
#endif
  std::memset(memory, 0, bytes);
  return {static_cast<std::byte*>(memory), std::free};
}

/// A huge page that is being filled; whoever has a piece of it keeps it alive.
struct Page {
  std::weak_ptr<std::byte> memory;
  std::size_t used = 0;
};

std::shared_ptr<std::byte> allocate_in_page(std::size_t bytes) {
  thread_local Page page;
  auto memory = page.memory.lock();
  if (!memory || page.used + bytes > kHugePage) {
    memory = allocate(kHugePage, kHugePage);
    if (!memory) return nullptr;
    page = {memory, 0};
  }
  std::byte* piece = memory.get() + page.used;
  page.used += round_up(bytes, kMemoryAlignment);
  return {std::move(memory), piece};
}

}  // namespace

std::shared_ptr<std::byte> allocate_zeroed(std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return allocate(bytes + kMemoryAlignment, kMemoryAlignment);  // pieces of their own, so that an overrun is seen
#else
  return bytes < kLarge ? allocate_in_page(bytes) : allocate(bytes, kHugePage);
#endif
}

}  // namespace tessera
